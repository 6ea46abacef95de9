import Foundation
public import Testing

/// The expected output of a program, kept as a file in `Tests/Golden`. `make golden` records it.
public struct GoldenFile: Hashable, Sendable {
    /// The path in `Tests/Golden`, such as `help/articlesctl-list.txt`.
    public let name: String

    /// Names a file, which may not exist yet.
    public init(_ name: String) { self.name = name }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden").standardizedFileURL
    private static let isRecording = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil

    private var url: URL { Self.folder.appending(path: name) }

    /// Compares the output with the file, or records it if `UPDATE_GOLDEN` is set.
    public func check(_ output: String, location: SourceLocation = #_sourceLocation) throws {
        let expected = try? String(contentsOf: url, encoding: .utf8)
        guard output != expected else { return }
        if Self.isRecording {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try output.write(to: url, atomically: true, encoding: .utf8)
        } else {
            Issue.record(
                """
                Tests/Golden/\(name) \(expected == nil ? "does not exist" : "differs from the output"). If the output is as \
                intended, run make golden.
                \(lineDifference(expected: expected ?? "", actual: output))
                """, sourceLocation: location)
        }
    }

    /// Fails if `Tests/Golden` has a file that is not among these, or removes the file if `UPDATE_GOLDEN` is set.
    public static func checkNoOthers(than files: Set<GoldenFile>, location: SourceLocation = #_sourceLocation) throws {
        // Only files have an extension.
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }
        for file in paths.map(GoldenFile.init) where !files.contains(file) {
            if isRecording {
                try FileManager.default.removeItem(at: file.url)
            } else {
                Issue.record("No test writes Tests/Golden/\(file.name). Run make golden.", sourceLocation: location)
            }
        }
    }
}

/// The lines that differ, each with its mark, `-` for expected and `+` for actual, and two lines of context.
public func lineDifference(expected: String, actual: String) -> String {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in new.difference(from: old) {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): inserted.insert(offset)
        }
    }
    var lines: [(mark: String, text: Substring)] = []
    var (oldLine, newLine) = (0, 0)
    while oldLine < old.count || newLine < new.count {
        if removed.contains(oldLine) {
            lines.append(("-", old[oldLine]))
            oldLine += 1
        } else if inserted.contains(newLine) {
            lines.append(("+", new[newLine]))
            newLine += 1
        } else {
            lines.append((" ", new[newLine]))
            (oldLine, newLine) = (oldLine + 1, newLine + 1)
        }
    }
    let shown = Set(lines.indices.filter { lines[$0].mark != " " }.flatMap { $0 - 2...$0 + 2 })
    return lines.indices.filter(shown.contains).map { index in
        let isGap = index > 0 && !shown.contains(index - 1)
        return (isGap ? "  …\n" : "") + lines[index].mark + " " + lines[index].text
    }.joined(separator: "\n")
}
