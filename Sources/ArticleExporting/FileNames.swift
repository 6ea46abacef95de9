import ArticleStore
import Text

/// Chooses file names that are valid on every file system and distinct, even if the file system ignores case and
/// Unicode normalization. It keeps eight bytes per name.
struct FileNames {
    private var files: Set<UInt64> = []
    private var folders: Set<UInt64> = []

    /// Returns a path for a file. The parts of `path` must be ``safe(_:)``. If the path is taken or too long, the
    /// result is a different path with a number or a hash of `key`.
    mutating func insert(file path: String, key: String = "") -> String {
        insert(path.utf8.count <= Self.longestPath ? path : Self.packed(path), key) { names, path in
            let parents = Self.parents(of: path)
            if parents.contains(where: names.files.contains) || names.folders.contains(Self.fold(path)) { return false }
            guard names.files.insert(Self.fold(path)).inserted else { return false }
            names.folders.formUnion(parents)
            return true
        }
    }

    /// Returns a name for a folder. See ``insert(file:key:)``.
    mutating func insert(folder name: String, key: String) -> String {
        insert(name, key) { names, name in
            !names.files.contains(Self.fold(name)) && names.folders.insert(Self.fold(name)).inserted
        }
    }

    private mutating func insert(
        _ path: String, _ key: String, if isNew: (inout FileNames, String) -> Bool
    ) -> String {
        var number = 0
        var path = path
        var candidate = path
        while !isNew(&self, candidate) {
            // The conflict may be in a folder of the path, so shorten the path first.
            if number == 1 { path = Self.packed(path) }
            number += 1
            let (stem, ending) = Self.parts(of: path)
            candidate = stem + "-" + Self.mark(number == 1 ? key : "\(key)#\(number)") + ending
        }
        return candidate
    }

    /// Removes or replaces everything that some file system rejects or an import skips: control characters, characters
    /// that Windows reserves, a leading dot, trailing dots and spaces, device names, and names of folders that never
    /// contain articles. A long name is cut.
    static func safe(_ name: String) -> String {
        var scalars = Array(
            name.unicodeScalars.map { scalar -> Unicode.Scalar in
                scalar.isHarmful || "<>:\"/\\|?*".unicodeScalars.contains(scalar) ? "_" : scalar
            })
        if let first = scalars.first, first == "." || first == " " { scalars[0] = "_" }
        while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
        let safe = String(String.UnicodeScalarView(scalars))
        let isRefused =
            safe.isEmpty || devices.contains(safe.prefix { $0 != "." }.lowercased())
            || IgnoredName.reason(for: safe, isFolder: true, in: "vendor") != nil
        return cut(isRefused ? "_" + safe : safe)
    }

    private static let devices = Set(["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })

    private static let longestName = 80
    /// Windows limits paths to 260 characters, including the path of the export's folder.
    private static let longestPath = 200

    private static func cut(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        let (stem, ending) = parts(of: name)
        var end = stem.utf8.index(stem.startIndex, offsetBy: min(stem.utf8.count, longestName - 9 - ending.utf8.count))
        while end.samePosition(in: stem.unicodeScalars) == nil { end = stem.utf8.index(before: end) }
        return stem[..<end] + "-" + mark(name) + ending
    }

    /// Returns the path with the folders between the first folder and the name replaced by one folder.
    private static func packed(_ path: String) -> String {
        let parts = path.split(separator: "/")
        guard parts.count > 2, let first = parts.first, let name = parts.last else { return path }
        return "\(first)/\(mark(ExactText(path).parentPath.text))/\(name)"
    }

    /// Splits a path into the part before the extension and the extension.
    private static func parts(of path: String) -> (stem: String, ending: String) {
        guard let dot = path.lastIndex(of: "."), (2...10).contains(path[dot...].utf8.count), !path[dot...].contains("/")
        else { return (path, "") }
        return (String(path[..<dot]), String(path[dot...]))
    }

    private static func parents(of path: String) -> [UInt64] {
        path.indices.filter { path[$0] == "/" }.map { fold(String(path[..<$0])) }
    }

    private static func fold(_ path: String) -> UInt64 { Fingerprint(FoldedKey.fold(path)).value }

    private static func mark(_ text: String) -> String { String(Fingerprint(text).description.prefix(8)) }
}
