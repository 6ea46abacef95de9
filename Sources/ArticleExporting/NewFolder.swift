import ArticleStore
import CPlatform
import Platform
import Text

/// A folder that is written under a temporary name and moved to its destination when it is complete. If it is not
/// finished, releasing the object deletes it.
///
/// If the destination does not exist, the new folder is renamed. An existing folder is kept, with its entries that
/// begin with a dot, and the other entries are moved one by one. The folder itself may be the current directory of a
/// process, the root of a volume, or a repository, so it must not be replaced.
final class NewFolder {
    /// The number of written files.
    private(set) var count = 0
    private let path: String
    private let entry: UnfinishedEntry
    private var temporaryPath: String { entry.path }
    private let isThere: Bool
    private let replaces: Bool

    /// Begins a folder with permissions from the umask.
    ///
    /// - Parameter replaces: whether the contents of an existing folder are replaced. A folder that was not written by
    ///   an export is never emptied.
    /// - Throws: ``ExportError``.
    init(at path: String, replaces: Bool) throws(ExportError) {
        var path = path
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        self.replaces = replaces
        isThere = try Self.isFolder(path)
        if isThere, !replaces, try !Self.content(of: path).isEmpty { throw .notEmpty(path) }
        entry = try Self.makeTemporary(in: isThere ? path + "/" : path.folderPrefix, for: path)
    }

    /// Writes a file and creates the folders of its path.
    ///
    /// - Parameters:
    ///   - file: the path in the folder, which must be unique.
    ///   - text: the contents.
    /// - Throws: ``ExportError``.
    func write(_ file: String, _ text: String) throws(ExportError) {
        try write(file, bytes: Array(text.utf8))
    }

    /// Writes a file of bytes. See ``write(_:_:)``.
    func write(_ file: String, bytes: [UInt8]) throws(ExportError) {
        let path = temporaryPath + "/" + file
        let flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC
        var descriptor = open(path, flags, 0o666)
        if descriptor < 0, errno == ENOENT {
            makeFolders(above: file)
            descriptor = open(path, flags, 0o666)
        }
        guard descriptor >= 0 else { throw .cannotCreate(self.path + "/" + file, reason: "\(SystemError.current)") }
        defer { close(descriptor) }
        do {
            try bytes.withUnsafeBytes { try $0.write(to: descriptor) }
        } catch {
            throw .cannotWrite(self.path + "/" + file, reason: "\(error)")
        }
        count += 1
    }

    private func makeFolders(above file: String) {
        var folder = temporaryPath
        for part in file.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o777)
        }
    }

    /// Moves the folder to its destination. If the process is killed while entries are moved, the old entries remain in
    /// a hidden folder that is not deleted automatically, and the marker of an export remains in place.
    ///
    /// - Throws: ``ExportError``. The destination is then unchanged.
    func finish() throws(ExportError) {
        Self.bringToDisk(temporaryPath)
        guard isThere else {
            if rename(temporaryPath, path) == 0 {
                entry.isFinished = true
                return
            }
            throw errno == ENOTEMPTY || errno == EEXIST
                ? .notEmpty(path) : .cannotCreate(path, reason: "\(SystemError.current)")
        }
        let new = try Self.content(of: temporaryPath)
        var old = try Self.content(of: path)
        if !old.isEmpty, !replaces { throw .notEmpty(path) }
        if !isOfExport {
            if let name = new.first(where: Set(old).contains) { throw .wouldReplace(path, name: name.text) }
            old = []
        }
        let aside = path + "/.articlesctl-replaced-" + UnfinishedEntry.number()
        guard mkdir(aside, 0o700) == 0 else { throw .cannotCreate(aside, reason: "\(SystemError.current)") }
        let (oldMarks, oldRest) = old.divided
        let (newMarks, newRest) = new.divided
        // Move the marker of an export last. It replaces the old marker atomically.
        let moves: [(names: [Name], from: String, to: String)] = [
            (oldRest, path, aside), (newRest, temporaryPath, path), (newMarks, temporaryPath, path),
        ]
        var done = moves.prefix(0)
        do throws(ExportError) {
            while done.count < moves.count {
                let move = moves[done.count]
                try Self.move(move.names, from: move.from, to: move.to)
                done = moves.prefix(done.count + 1)
            }
        } catch {
            for move in done.reversed() { try? Self.move(move.names, from: move.to, to: move.from) }
            rmdir(aside)
            throw error
        }
        try Self.move(oldMarks.filter { !newMarks.contains($0) }, from: path, to: aside)
        try? FileManager.default.removeItem(atPath: aside)
    }

    /// Moves all entries or none.
    private static func move(_ names: [Name], from folder: String, to other: String) throws(ExportError) {
        for (index, name) in names.enumerated() {
            if name.move(from: folder, to: other) { continue }
            let error = SystemError.current
            for name in names[..<index] { _ = name.move(from: other, to: folder) }
            throw .cannotCreate(other + "/" + name.text, reason: "\(error)")
        }
    }

    /// Whether an export wrote the existing folder.
    private var isOfExport: Bool {
        Name.marks.contains { access(path + "/" + $0, F_OK) == 0 }
    }

    private static func isFolder(_ path: String) throws(ExportError) -> Bool {
        do throws(SystemError) {
            if try FileKind(of: FilePath(path)) == .folder { return true }
        } catch {
            if error.code == ENOENT { return false }
            throw .cannotCreate(path, reason: "\(error)")
        }
        throw .isNoFolder(path)
    }

    /// The entries of a folder that do not begin with a dot.
    private static func content(of folder: String) throws(ExportError) -> [Name] {
        do throws(SystemError) {
            return try OpenFolder(path: FilePath(folder)).names.map(Name.init).filter { !$0.isHidden }
        } catch {
            throw .cannotCreate(folder, reason: "\(error)")
        }
    }

    private static func makeTemporary(in folder: String, for path: String) throws(ExportError) -> UnfinishedEntry {
        do throws(SystemError) {
            return try UnfinishedEntry(.folder, in: folder, mode: 0o777)
        } catch {
            throw .cannotCreate(path, reason: "\(error)")
        }
    }

    /// Flushes the written data to the disk, so that a crash cannot leave empty files.
    private static func bringToDisk(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        platform_sync_file_system(descriptor)
        close(descriptor)
    }
}

/// The name of a folder's entry. It may be invalid UTF-8.
private struct Name: Hashable {
    private let bytes: [CChar]

    /// The names of the files that mark a folder as written by an export.
    static let marks = [SourcesFile.name, SiteExport.markName]

    /// - Parameter bytes: the name with the terminating zero.
    init(_ bytes: [CChar]) { self.bytes = bytes }

    var text: String { FilePath(name: bytes).name }
    var isHidden: Bool { bytes.first == CChar(bitPattern: UInt8(ascii: ".")) }
    var isMark: Bool { Self.marks.contains(text) }

    /// - Returns: whether it succeeded. If not, `errno` has the reason.
    func move(from folder: String, to other: String) -> Bool {
        rename(FilePath(folder).appending(bytes.dropLast()).bytes, FilePath(other).appending(bytes.dropLast()).bytes)
            == 0
    }
}

extension [Name] {
    /// The entries that mark a folder as written by an export, and the other entries.
    fileprivate var divided: (marks: [Name], rest: [Name]) { (filter(\.isMark), filter { !$0.isMark }) }
}
