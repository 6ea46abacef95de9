import ArticleStore
import Platform
import Text

/// A sample of a folder's articles, with which the folder is recognized after it was moved.
struct RecordSample {
    private static let count = 100

    /// Stops the iteration over the articles.
    private struct Enough: Error {}

    /// The files, with the hashes of the records in them.
    private var files: [(path: ExactText, contents: [UInt64])] = []

    /// Takes the first articles of a source.
    init(of source: Source, by writer: some ArticleWriter) throws {
        var count = 0
        do {
            try writer.forEachEntry(of: source.id) { key, entry in
                guard let content = entry.origin.content else { return }
                guard count < Self.count else { throw Enough() }
                count += 1
                let path = PathKey(key).path
                if files.last?.path == path {
                    files[files.count - 1].contents.append(content)
                } else {
                    files.append((path, [content]))
                }
            }
        } catch is Enough {}
    }

    /// Whether more than half of the records are in another folder, in files with the same paths and with identical
    /// bytes. A single identical file proves nothing: it may be a common template.
    func isMostly(at location: ExactText, options: ImportOptions) -> Bool {
        let found = files.reduce(0) { count, file in
            count + Self.count(of: file.contents, in: FilePath(exact: location.appending(path: file.path)), options)
        }
        return found * 2 > files.reduce(0) { $0 + $1.contents.count }
    }

    /// Returns how many of these records a file contains. It is read until all of them are found.
    private static func count(of contents: [UInt64], in path: FilePath, _ options: ImportOptions) -> Int {
        guard path.isFile, let input = try? InputFile(path: path, followsLinks: false) else { return 0 }
        let name = path.exact.text
        let file = SourceFiles.File(
            bytes: ByteReader { buffer in
                while true { if let count = try input.read(into: buffer) { return count } }
            }, format: options.format ?? ImportFormat(fileName: name), facts: .none, root: ImportRoot(stream: name),
            relativePath: nil, modified: nil, folder: nil)
        var missing = Set(contents.map(Self.form))
        let all = missing.count
        guard var records = try? RecordReader(file, options: options) else { return 0 }
        while !missing.isEmpty {
            do {
                let record = try records.next { content, _ in
                    missing.remove(Self.form(content.value))
                    return missing.isEmpty
                }
                guard let record else { break }
                missing.remove(Self.form(record.content.value))
            } catch is RecordError {
                continue
            } catch { break }
        }
        return all - missing.count
    }

    /// Returns a hash without the bit that says whether the record must be read.
    private static func form(_ content: UInt64) -> UInt64 { content & ~1 }
}
