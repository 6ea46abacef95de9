public import Foundation

/// Runs a program found in PATH with `input` as its standard input, and returns its status and what it wrote.
public func runProgram(_ arguments: [String], input: String = "") throws -> (status: Int32, output: String) {
    let folder = try TemporaryFolder()
    let directory = URL(filePath: folder.path)
    defer { withExtendedLifetime(folder) {} }
    let inputFile = directory.appending(path: "input")
    let outputFile = directory.appending(path: "output")
    try Data(input.utf8).write(to: inputFile)
    try Data().write(to: outputFile)
    // POSIX cannot start a program in another folder.
    let process = try ChildProcess(
        ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder.path] + arguments, environment: ChildProcess.environment,
        streams: [.file(inputFile.path), .file(outputFile.path), .file(outputFile.path)])
    let status = process.wait()
    return (status, try String(contentsOf: outputFile, encoding: .utf8))
}

/// Returns whether a program is installed.
public func isInstalled(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}

/// Returns the place of a program of this package that was built with the tests, in a folder around their bundle.
public func builtProgram(_ name: String) -> URL? {
    let starts: [String?] = [CommandLine.arguments.first, Bundle.main.executablePath, Bundle.main.bundlePath]
    for case let start? in starts {
        var folder = URL(fileURLWithPath: start)
        for _ in 0..<4 {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue,
                FileManager.default.isExecutableFile(atPath: candidate.path)
            {
                return candidate
            }
        }
    }
    return nil
}
