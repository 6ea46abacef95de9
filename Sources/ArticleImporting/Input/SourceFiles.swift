import ArticleStore
import Platform
import Text

/// Opens the files of an import's inputs one after the other. Folders are searched at any depth, each only once.
struct SourceFiles {
    /// An open file.
    struct File {
        let bytes: ByteReader
        /// Nil if the format must be detected from the first bytes.
        let format: ImportFormat?
        let facts: FileNameFacts
        /// The input that contains this file, or is this file.
        let root: ImportRoot
        /// The path below the input folder, with `/` as separator; the name of a file that is an input itself; nil for
        /// a stream. It has the form of `FilePath.exact`.
        let relativePath: ExactText?
        /// The modification time of the file; nil for a stream.
        let modified: Date?
        /// The folder of the file, if files of its kind may have related files next to them.
        let folder: OpenFolder?
        /// The entry of this feed in a list of feeds.
        var listed: FeedList.Feed?

        /// Whether it begins as a feed.
        var isFeed: Bool {
            get throws {
                if bytes.count == 0 { _ = try bytes.fill() }
                return bytes.withBytes { XMLRoot($0)?.isFeed ?? false }
            }
        }

        /// Whether it begins as a table of articles or links.
        var isTable: Bool {
            get throws {
                if bytes.count == 0 { _ = try bytes.fill() }
                return bytes.withBytes { TableHeader(start: $0) != nil }
            }
        }
    }

    /// A folder in which names were found.
    private struct Place {
        let folder: OpenFolder
        let path: FilePath
        /// The input that contains it.
        let tree: Tree
        /// The path below the input, with a slash at the end; empty if it is the input.
        let below: ExactText
        /// Whether it is an Omnivore export, in which only the lists of entries are read as records.
        let isOmnivore: Bool
        let savedPages: SavedPages
    }

    /// An input that is a folder.
    private struct Tree {
        let root: ImportRoot
        let folder: OpenFolder
        /// The path without symbolic links; nil if it is unknown.
        let location: FilePath?
    }

    private enum Path {
        case given(ImportSource)
        case found([CChar], Place)
        /// A feed in a list of feeds.
        case listed(String, FeedList.Feed)
        /// The data of a stream, in a temporary file.
        case spooled(InputFile, name: String, format: ImportFormat?)
        case unreadable(name: String, SystemError)
    }

    /// The paths to open. The next one is at the end.
    private var paths: [Path]
    /// The number of skipped entries in folders: files, folders, and links.
    private(set) var skippedFiles = 0
    /// The name, for reports, of the file that was opened last or failed to open.
    private(set) var name = ""
    /// The input of that file; nil before the first.
    private(set) var root: ImportRoot?
    private var listed: [FeedList.Feed] = []
    /// The problems of the last list of feeds that were not reported yet.
    private var problems: ArraySlice<RecordError> = []
    private var visitedFolders: Set<FileIdentity> = []
    private let options: ImportOptions
    private let isInterrupted: () -> Bool
    private let onEvent: (ImportEvent) -> Void

    /// - Parameter onEvent: called for each file, folder, or link in a folder that is skipped.
    /// - Throws: ``ImportError`` if a source does not exist.
    init(
        _ sources: [ImportSource], options: ImportOptions, isInterrupted: @escaping () -> Bool,
        onEvent: @escaping (ImportEvent) -> Void
    ) throws(ImportError) {
        for case .path(let path) in sources {
            do {
                _ = try FileKind(of: FilePath(path))
            } catch {
                // Other errors, such as a folder without access rights, are reported when the source is read.
                if error.isMissing { throw .noSuchFile(path) }
            }
        }
        paths = sources.reversed().map(Path.given)
        self.options = options
        self.isInterrupted = isInterrupted
        self.onEvent = onEvent
    }

    /// Copies all input from streams (pipes, terminals) into temporary files, so that the import does not wait for it
    /// later.
    ///
    /// - Parameter folder: the folder of the temporary files.
    /// - Throws: ``ImportStoppedError``; ``ImportError`` if the data cannot be stored.
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
                    guard try FileKind(of: descriptor) == .stream else { continue }
                    input = InputFile(descriptor: descriptor)
                case .path(let path):
                    name = path
                    guard try FileKind(of: FilePath(path)) == .stream else { continue }
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
    /// - Throws: `SystemError` if it cannot be opened, `RecordError` if its kind is not supported, or for a line of a list
    ///   of feeds. ``name`` is then its name, and the next call continues after it.
    mutating func next() throws -> File? {
        while true {
            if let problem = problems.popFirst() { throw problem }
            guard let path = paths.popLast() else { return nil }
            if let file = try open(path) { return file }
        }
    }

    /// If the file is a list of feeds, its feeds are opened next.
    ///
    /// - Parameter path: the path of the list; nil for a stream, which is not in a folder.
    /// - Returns: the file, if it is not a list of feeds.
    private mutating func withoutList(_ file: File, beside path: String?) throws -> File? {
        guard options.format == nil || options.format == .feed || options.format == .newsboat,
            let list = try FeedList(
                file.bytes, format: file.format, name: path.map { FilePath($0).name }, options: options)
        else { return file }
        problems = list.problems[...]
        let found = path.map { list.files(beside: $0) } ?? []
        paths += found.reversed().map { .listed($0.path, $0.feed) }
        let missing = Set(list.feeds).subtracting(found.map(\.feed))
        // Everything that is imported into a named source belongs to it.
        let sources = missing.filter { $0.isOnWeb && options.source == nil }
        listed += sources.sorted { $0.address < $1.address }
        if !sources.isEmpty { onEvent(.note("\(name): \(list.notice(of: sources.count))".sanitized())) }
        if let error = list.error(missing: missing.count - sources.count) { problems.append(error) }
        return nil
    }

    /// Returns the feeds of lists whose files were not found since the last call.
    mutating func removeListedFeeds() -> [FeedList.Feed] {
        defer { listed = [] }
        return listed
    }

    /// Returns nil for a folder and for a skipped entry.
    private mutating func open(_ path: Path) throws -> File? {
        switch path {
        case .given(.descriptor(let descriptor, let name)):
            self.name = name
            let root = ImportRoot(stream: name)
            self.root = root
            return try withoutList(file(InputFile(descriptor: descriptor), options.format, .none, root), beside: nil)
        case .given(.path(let path)):
            name = path
            let kind = try FileKind(of: FilePath(path))
            if kind == .folder {
                let root = ImportRoot(kind, at: FilePath(path))
                self.root = root
                let folder = try OpenFolder(path: FilePath(path))
                let tree = Tree(root: root, folder: folder, location: FilePath(path).resolved)
                try visit(folder, at: FilePath(path), in: tree, below: "")
                return nil
            }
            let file = try given(path, kind)
            return try withoutList(file, beside: kind == .file ? path : nil)
        case .listed(let path, let feed):
            name = path
            var file = try given(path, .file, followsLinks: false)
            file.listed = feed
            return file
        case .spooled(let file, let name, let format):
            self.name = name
            let root = ImportRoot(stream: name)
            self.root = root
            return try withoutList(self.file(file, format, .none, root), beside: nil)
        case .unreadable(let name, let error):
            self.name = name
            root = nil
            throw error
        case .found(let name, let place):
            return try open(name, in: place)
        }
    }

    /// Returns nil for a folder and for a skipped entry.
    private mutating func open(_ file: [CChar], in place: Place) throws -> File? {
        let path = place.path.appending(file.dropLast())
        name = path.text
        root = place.tree.root
        let entry = try place.folder.entry(file)
        if let reason = IgnoredName.reason(for: path.name, isFolder: entry == .folder, in: place.path.name) {
            return skip(reason)
        }
        if place.isOmnivore, entry == .folder, ["content", "highlights"].contains(path.name) {
            return skip("a part of an export of Omnivore, which is read with its entries")
        }
        if entry == .folder, place.savedPages.haveFolder(path.name) {
            return skip("files that a browser saved with a page")
        }
        return entry == .link
            ? try follow(path, in: place) : try open(entry, file, in: place.folder, as: path, of: place)
    }

    /// Opens the target of a symbolic link, if it is inside the input folder and will not be read there anyway.
    private mutating func follow(_ path: FilePath, in place: Place) throws -> File? {
        guard options.followsLinks else { return skip("a symbolic link") }
        guard let target = path.resolved, let top = place.tree.location else {
            return skip("a broken symbolic link")
        }
        guard target.bytes != top.bytes else { return skip("a symbolic link to a folder that is read anyway") }
        guard let parts = target.parts(below: top), let last = parts.last else {
            return skip("a symbolic link to a place outside of the folder")
        }
        // Open the path one part at a time from the top, so that replacing a folder during the import cannot redirect
        // it.
        var folder = place.tree.folder
        for part in parts.dropLast() { folder = try OpenFolder(part, in: folder) }
        let entry = try folder.entry(last)
        let names = parts.map { FilePath(name: $0).name }
        let isIgnored = names.indices.contains { index in
            let isFolder = index < names.count - 1 || entry == .folder
            let parent = index == 0 ? top.name : names[index - 1]
            return IgnoredName.reason(for: names[index], isFolder: isFolder, in: parent) != nil
        }
        guard isIgnored || entry == .file && Self.format(of: names.last ?? "") == nil else {
            return skip("a symbolic link to a file that is read anyway: \(names.joined(separator: "/"))")
        }
        return try open(entry, last, in: folder, as: path, of: place)
    }

    /// - Parameters:
    ///   - path: the path for reports.
    ///   - place: the folder in which it was found.
    private mutating func open(
        _ entry: OpenFolder.Entry, _ file: [CChar], in folder: OpenFolder, as path: FilePath, of place: Place
    ) throws -> File? {
        let relativePath: ExactText = "\(place.below)\(path.name)"
        let root = place.tree.root
        switch entry {
        case .folder:
            try visit(try OpenFolder(file, in: folder), at: path, in: place.tree, below: "\(relativePath)/")
            return nil
        case .link, .other: return skip("neither a file nor a folder")
        case .file:
            guard let format = Self.format(of: name) else {
                if let notation = ImportFormat.unsupportedFormat(fileName: name) {
                    return skip("\(notation) is not supported: convert it to Markdown or HTML", isDocument: true)
                }
                return skip("a file type that is not read from folders")
            }
            let isOfSources = path.name == SourcesFile.name
            let file = self.file(
                try InputFile(file, in: folder), isOfSources ? format : options.format ?? format,
                FileNameFacts(path: relativePath.text, in: root.location?.text ?? root.name), root,
                path: relativePath, in: format == .json ? folder : nil)
            // The extension is also used for other XML.
            guard try format != .feed || options.format != nil || file.isFeed else {
                return skip("XML that is not a feed")
            }
            // The extension is also used for other tables.
            guard try format != .csv || options.format != nil || file.isTable else {
                return skip("a table without articles and links")
            }
            // Folders contain text files for many reasons. Read one as an article only if it was named by the user or
            // begins with front matter.
            guard try format != .text || FrontMatter.begins(file.bytes) else {
                return skip("a file type that is not read from folders")
            }
            return file
        }
    }

    /// Returns the format of a file that was found in a folder.
    private static func format(of name: String) -> ImportFormat? { ImportFormat(fileName: name) }

    /// Records that the entry ``name`` is skipped.
    @discardableResult
    mutating func skip(_ reason: String, isDocument: Bool = false) -> File? {
        skippedFiles += 1
        onEvent(.skipped(SkippedFile(source: name, reason: reason, isDocument: isDocument)))
        return nil
    }

    /// Opens a file or a stream that the user named.
    private mutating func given(_ path: String, _ kind: FileKind, followsLinks: Bool = true) throws -> File {
        let root = ImportRoot(kind, at: FilePath(path))
        self.root = root
        let format = options.format ?? ImportFormat(fileName: path)
        if format == nil, let notation = ImportFormat.unsupportedFormat(fileName: path) {
            throw RecordError(
                "\(notation) is not supported: convert it to Markdown or HTML, or pass --format text to import it as plain text"
            )
        }
        return file(
            try InputFile(path: FilePath(path), followsLinks: followsLinks), format,
            kind == .file ? FileNameFacts(path: root.location?.text ?? path) : .none, root,
            path: kind == .file ? ExactText(FilePath(path).name) : nil,
            in: format == .json ? root.location.flatMap { try? OpenFolder(path: FilePath(exact: $0.parentPath)) } : nil)
    }

    /// Reads the entries of a folder next, unless it was already read.
    private mutating func visit(_ folder: OpenFolder, at path: FilePath, in tree: Tree, below: ExactText) throws {
        guard visitedFolders.insert(try folder.identity).inserted else { return }
        var names = try folder.names
        let place = Place(
            folder: folder, path: path, tree: tree, below: below, isOmnivore: OmnivoreEntry.isExport(names),
            savedPages: SavedPages(names))
        // Read the sources of a library export before its articles.
        if let index = names.firstIndex(of: Array(SourcesFile.name.utf8CString)) {
            names.insert(names.remove(at: index), at: 0)
        }
        paths += names.reversed().map { .found($0, place) }
    }

    private func file(
        _ file: InputFile, _ format: ImportFormat?, _ facts: FileNameFacts, _ root: ImportRoot, path: ExactText? = nil,
        in folder: OpenFolder? = nil
    ) -> File {
        let (isInterrupted, name) = (isInterrupted, name)
        var position = 0
        let bytes = ByteReader { buffer in
            // A record may be endless or too long, so check for interruptions here.
            while !isInterrupted() {
                do throws(SystemError) {
                    if let count = try file.read(into: buffer) {
                        position += count
                        return count
                    }
                } catch {
                    throw InputFailure(source: name, bytes: position, reason: error.description)
                }
            }
            throw ImportStoppedError()
        }
        return File(
            bytes: bytes, format: format, facts: facts, root: root, relativePath: path, modified: file.modified,
            folder: folder)
    }
}

/// The web pages in a folder that a browser may have saved. A browser puts the images and scripts of a page into a
/// folder next to it.
struct SavedPages {
    private let pages: Set<String>

    /// - Parameter names: the names in the folder, each with a terminating zero.
    init(_ names: [[CChar]]) {
        let names = names.map { FilePath(name: $0).name }
        let isAny = names.contains { name in Self.endings.contains { name.hasSuffix($0) } }
        pages = isAny ? Set(names.compactMap(Self.page)) : []
    }

    /// Whether a folder belongs to a saved page.
    func haveFolder(_ name: String) -> Bool {
        !pages.isEmpty
            && Self.endings.contains { name.hasSuffix($0) && pages.contains(String(name.dropLast($0.count))) }
    }

    private static func page(_ name: String) -> String? {
        for ending in [".html", ".htm", ".xhtml"] where name.lowercased().hasSuffix(ending) {
            return String(name.dropLast(ending.count))
        }
        return nil
    }

    /// The suffixes that browsers add to the name of the page. Firefox uses the language of the user.
    private static let endings = [
        "_files", ".files", "-Dateien", "_fichiers", "_archivos", "_arquivos", "_ficheiros", "_file", "_bestanden",
        "_pliki", "-filer", "_soubory",
    ]
}
