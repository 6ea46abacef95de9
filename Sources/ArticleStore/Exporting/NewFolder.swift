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

    /// Puts the folder where it belongs.
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
            if let name = new.first(where: Set(old).contains) { throw .wouldReplace(path, name: name) }
            old = []
        }
        // Goes with what was there.
        let aside = try Self.makeTemporary(in: path + "/", for: path)
        try Self.move(old, from: path, to: aside.path)
        do throws(ExportError) {
            try Self.move(new, from: temporaryPath, to: path)
        } catch {
            try Self.move(old, from: aside.path, to: path)
            throw error
        }
    }

    /// Moves all or none.
    private static func move(_ names: [String], from folder: String, to other: String) throws(ExportError) {
        for (index, name) in names.enumerated() {
            if rename(folder + "/" + name, other + "/" + name) == 0 { continue }
            let error = SystemError.current
            for name in names[..<index] { rename(other + "/" + name, folder + "/" + name) }
            throw .cannotCreate(other + "/" + name, reason: "\(error)")
        }
    }

    /// Whether what is there was written by an export.
    private var isOfExport: Bool {
        [SourcesFile.name, SiteExport.markName].contains { access(path + "/" + $0, F_OK) == 0 }
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
    private static func content(of folder: String) throws(ExportError) -> [String] {
        do throws(SystemError) {
            return try OpenFolder(path: FilePath(folder)).names.map { name in
                String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }.filter { !$0.hasPrefix(".") }
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
