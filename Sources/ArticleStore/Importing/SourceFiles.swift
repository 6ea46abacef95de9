import Essentials
import Platform

/// The files that the sources of an import are, opened one after another: folders to any depth, each once.
struct SourceFiles {
    /// A file that is open.
    struct File {
        let bytes: ByteReader
        /// Nil where its first bytes must tell.
        let format: ImportFormat?
        let facts: FileNameFacts
        /// What was given to the import, in which this file is or which it is itself.
        let root: ImportRoot
        /// The path below a folder that was given, its parts divided by `/`; the name of a file that was given itself;
        /// nil for a stream. Bytes that are not UTF-8 are written as `\xE9`.
        let relativePath: String?
        /// When the file was written last; nil for a stream.
        let modified: Date?

        /// Whether it begins as a feed does.
        var isFeed: Bool {
            get throws {
                if bytes.count == 0 { _ = try bytes.fill() }
                return bytes.withBytes { XMLRoot($0)?.isFeed ?? false }
            }
        }

        /// Whether it begins as a table of articles or links does.
        var isTable: Bool {
            get throws {
                if bytes.count == 0 { _ = try bytes.fill() }
                return bytes.withBytes { TableHeader(start: $0) != nil }
            }
        }
    }

    private enum Path {
        case given(ImportSource)
        case found(FilePath, ImportRoot, below: String)
        /// A feed that a list of feeds names.
        case listed(String)
        /// What came through a stream, in a temporary file.
        case spooled(InputFile, name: String, format: ImportFormat?)
        case unreadable(name: String, SystemError)
    }

    /// What is still to be read, the next at the end.
    private var paths: [Path]
    /// How many files in folders are of no kind that is read.
    private(set) var passedOver = 0
    /// The file that was opened last, or could not be, as reports call it.
    private(set) var name = ""
    /// What was given to the import, and the file that was opened last, or could not be, is in; nil before the first.
    private(set) var root: ImportRoot?
    private var visitedFolders: Set<FileTree.Identity> = []
    private let options: ImportOptions
    private let isInterrupted: () -> Bool

    /// - Throws: ``ImportError`` where a source is not there.
    init(
        _ sources: [ImportSource], options: ImportOptions, isInterrupted: @escaping () -> Bool
    ) throws(ImportError) {
        for case .path(let path) in sources {
            do {
                _ = try FileTree.status(of: FilePath(path))
            } catch {
                // Anything else, such as a folder that may not be entered, is reported when its turn comes.
                if error.isMissing { throw .noSuchFile(path) }
            }
        }
        paths = sources.reversed().map(Path.given)
        self.options = options
        self.isInterrupted = isInterrupted
    }

    /// Takes in all that comes from elsewhere (pipes, terminals), so that nothing is waited for later.
    ///
    /// - Parameter folder: where it is kept.
    /// - Throws: ``ImportStoppedError``, and ``ImportError`` where it cannot be kept.
    mutating func spool(in folder: String) throws {
        for index in paths.indices.reversed() {
            guard case .given(let source) = paths[index] else { continue }
            var name = ""
            do {
                let input: InputFile
                var format = options.format
                switch source {
                case .descriptor(let descriptor, let given):
                    name = given
                    guard try FileTree.kind(of: descriptor) == .stream else { continue }
                    input = InputFile(descriptor: descriptor)
                case .path(let path):
                    name = path
                    guard try FileTree.status(of: FilePath(path)).kind == .stream else { continue }
                    input = try InputFile(path: FilePath(path))
                    format = format ?? ImportFormat(fileName: path)
                }
                let file = try InputFile(spooling: input, in: folder) {
                    if isInterrupted() { throw ImportStoppedError() }
                }
                paths[index] = .spooled(file, name: name, format: format)
            } catch let error as SystemError {
                paths[index] = .unreadable(name: name, error)
            } catch let error as InputFile.SpoolError {
                throw ImportError.cannotKeep(name, folder: folder, reason: error.cause.description)
            }
        }
    }

    /// Opens the next file.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `SystemError` where it cannot be read, ``RecordError`` where it is of a kind that is not; ``name`` is then its
    ///   name. The next call goes on after it.
    mutating func next() throws -> File? {
        while let path = paths.popLast() {
            if let file = try open(path) { return file }
        }
        return nil
    }

    /// Nil for a folder, and for what is passed over.
    private mutating func open(_ path: Path) throws -> File? {
        switch path {
        case .given(.descriptor(let descriptor, let name)):
            self.name = name
            let root = ImportRoot(stream: name)
            self.root = root
            return file(InputFile(descriptor: descriptor), options.format, .none, root)
        case .given(.path(let path)):
            name = path
            let status = try FileTree.status(of: FilePath(path))
            if status.kind == .folder {
                let root = ImportRoot(status.kind, at: FilePath(path))
                self.root = root
                return try visit(FilePath(path), status.identity, root, below: "")
            }
            let file = try given(path, status.kind)
            guard status.kind == .file, let list = try FeedList(file.bytes, options: options) else { return file }
            let feeds = list.files(beside: path).filter { (try? FileTree.status(of: FilePath($0)).kind) == .file }
            paths += feeds.reversed().map(Path.listed)
            if let error = list.error(found: feeds.count) { throw error }
            return nil
        case .listed(let path):
            name = path
            return try given(path, .file)
        case .spooled(let file, let name, let format):
            self.name = name
            let root = ImportRoot(stream: name)
            self.root = root
            return self.file(file, format, .none, root)
        case .unreadable(let name, let error):
            self.name = name
            root = nil
            throw error
        case .found(let path, let root, let below):
            let relativePath = below + path.name
            name = path.text
            self.root = root
            let status = try FileTree.status(of: path)
            if status.kind == .folder { return try visit(path, status.identity, root, below: relativePath + "/") }
            // Text files lie in folders for many reasons; only by its own name is one taken for an article.
            guard status.kind == .file, let format = ImportFormat(fileName: name), format != .text else {
                passedOver += 1
                return nil
            }
            let file = file(
                try InputFile(path: path), options.format ?? format,
                FileNameFacts(path: (root.location ?? root.name).appending(path: relativePath)), root,
                path: relativePath)
            // So does XML, and much of it is no feed.
            guard try format != .feed || options.format != nil || file.isFeed else {
                passedOver += 1
                return nil
            }
            // So do tables.
            guard try format != .csv || options.format != nil || file.isTable else {
                passedOver += 1
                return nil
            }
            return file
        }
    }

    /// A file or a stream that was named.
    private mutating func given(_ path: String, _ kind: FileTree.Kind) throws -> File {
        let root = ImportRoot(kind, at: FilePath(path))
        self.root = root
        return file(
            try InputFile(path: FilePath(path)), options.format ?? ImportFormat(fileName: path),
            kind == .file ? FileNameFacts(path: root.location ?? path) : .none, root,
            path: kind == .file ? FilePath(path).name : nil)
    }

    private mutating func visit(
        _ path: FilePath, _ identity: FileTree.Identity, _ root: ImportRoot, below: String
    ) throws -> File? {
        guard visitedFolders.insert(identity).inserted else { return nil }
        paths += try FileTree.content(of: path).reversed().map { .found(path.appending($0), root, below: below) }
        return nil
    }

    private func file(
        _ file: InputFile, _ format: ImportFormat?, _ facts: FileNameFacts, _ root: ImportRoot, path: String? = nil
    ) -> File {
        let isInterrupted = isInterrupted
        let bytes = ByteReader { buffer in
            while true {
                if let count = try file.read(into: buffer) { return count }
                if isInterrupted() { throw ImportStoppedError() }
            }
        }
        return File(
            bytes: bytes, format: format, facts: facts, root: root, relativePath: path, modified: file.modified)
    }
}
