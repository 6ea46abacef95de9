import CPlatform
import Essentials
import Platform

/// A folder of files that is being written under another name, and is where it belongs when it is whole. What was not finished
/// goes with the value.
///
/// Where nothing is yet, it is renamed. A folder that is there stays itself, with what begins with a dot in it, and each of its
/// other entries is renamed: it may be the one somebody stands in, the root of a volume, or a repository.
final class NewFolder {
    /// How many files were written.
    private(set) var count = 0
    private let path: String
    private let entry: UnfinishedEntry
    private var temporaryPath: String { entry.path }
    private let isThere: Bool
    private let replaces: Bool

    /// Begins a folder, for whom the umask says.
    /// - Parameter replaces: whether what is in a folder that is there gives way. Nothing is removed from one that no export
    ///   has written.
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

    /// Writes a file, with the folders above it.
    /// - Parameters:
    ///   - file: its path in the folder, which is that of no other.
    ///   - text: what is in it.
    /// - Throws: ``ExportError``.
    func write(_ file: String, _ text: String) throws(ExportError) {
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
            var text = text
            try text.withUTF8 { try UnsafeRawBufferPointer($0).write(to: descriptor) }
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

    /// Puts the folder where it belongs. Whoever is killed while entries change places leaves the old ones in a hidden folder,
    /// which nobody removes, and what says that an export has written the folder.
    /// - Throws: ``ExportError``; then what was there is there.
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
        // What says that an export has written the folder comes last, and takes the place of the old in one step.
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

    /// Moves all or none.
    private static func move(_ names: [Name], from folder: String, to other: String) throws(ExportError) {
        for (index, name) in names.enumerated() {
            if name.move(from: folder, to: other) { continue }
            let error = SystemError.current
            for name in names[..<index] { _ = name.move(from: other, to: folder) }
            throw .cannotCreate(other + "/" + name.text, reason: "\(error)")
        }
    }

    /// Whether what is there was written by an export.
    private var isOfExport: Bool {
        Name.marks.contains { access(path + "/" + $0, F_OK) == 0 }
    }

    private static func isFolder(_ path: String) throws(ExportError) -> Bool {
        do throws(SystemError) {
            if try FileTree.kind(of: FilePath(path)) == .folder { return true }
        } catch {
            if error.code == ENOENT { return false }
            throw .cannotCreate(path, reason: "\(error)")
        }
        throw .isNoFolder(path)
    }

    /// What is in a folder and does not begin with a dot.
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

    /// Waits until what was written is on the disk, so that no crash leaves a folder of empty files.
    private static func bringToDisk(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        platform_sync_file_system(descriptor)
        close(descriptor)
    }
}

/// What an entry of a folder is called, which need not be UTF-8.
private struct Name: Hashable {
    private let bytes: [CChar]

    /// What says that an export has written a folder.
    static let marks = [SourcesFile.name, SiteExport.markName]

    /// - Parameter bytes: with the 0 that ends them.
    init(_ bytes: [CChar]) { self.bytes = bytes }

    var text: String { FilePath(name: bytes).name }
    var isHidden: Bool { bytes.first == CChar(bitPattern: UInt8(ascii: ".")) }
    var isMark: Bool { Self.marks.contains(text) }

    /// - Returns: whether it could be; else `errno` says why not.
    func move(from folder: String, to other: String) -> Bool {
        rename(FilePath(folder).appending(bytes.dropLast()).bytes, FilePath(other).appending(bytes.dropLast()).bytes)
            == 0
    }
}

extension [Name] {
    /// Those that say that an export has written the folder, and the others.
    fileprivate var divided: (marks: [Name], rest: [Name]) { (filter(\.isMark), filter { !$0.isMark }) }
}
