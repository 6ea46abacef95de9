import Database
import Text

/// Names for files that every file system takes, none of them twice, also where case and the spelling of letters do not count.
/// Of each name, eight bytes are kept.
struct FileNames {
    private var files: Set<UInt64> = []
    private var folders: Set<UInt64> = []

    /// Takes a path of parts that are ``safe(_:)`` for a file; another, made of it and of what tells it apart, where it is
    /// taken or too long.
    mutating func take(file path: String, key: String = "") -> String {
        take(path.utf8.count <= Self.longestPath ? path : Self.packed(path), key) { names, path in
            let parents = Self.parents(of: path)
            if parents.contains(where: names.files.contains) || names.folders.contains(Self.fold(path)) { return false }
            guard names.files.insert(Self.fold(path)).inserted else { return false }
            names.folders.formUnion(parents)
            return true
        }
    }

    /// Takes a name for a folder. See ``take(file:key:)``.
    mutating func take(folder name: String, key: String) -> String {
        take(name, key) { names, name in
            !names.files.contains(Self.fold(name)) && names.folders.insert(Self.fold(name)).inserted
        }
    }

    private mutating func take(
        _ path: String, _ key: String, if isNew: (inout FileNames, String) -> Bool
    ) -> String {
        var number = 0
        var path = path
        var candidate = path
        while !isNew(&self, candidate) {
            // A folder above may be the fault.
            if number == 1 { path = Self.packed(path) }
            number += 1
            let (stem, ending) = Self.parts(of: path)
            candidate = stem + "-" + Self.mark(number == 1 ? key : "\(key)#\(number)") + ending
        }
        return candidate
    }

    /// A name without what some file system does not take or an import passes over: control characters and the signs that
    /// Windows keeps for itself, a dot at the start, dots and spaces at the end, the names of devices, and those of folders that
    /// hold no articles. A long one is cut.
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
    /// Windows has room for 260 characters, and the folder of the export is somewhere too.
    private static let longestPath = 200

    private static func cut(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        let (stem, ending) = parts(of: name)
        var end = stem.utf8.index(stem.startIndex, offsetBy: min(stem.utf8.count, longestName - 9 - ending.utf8.count))
        while end.samePosition(in: stem.unicodeScalars) == nil { end = stem.utf8.index(before: end) }
        return stem[..<end] + "-" + mark(name) + ending
    }

    /// The path with one folder in place of those between the first and the name.
    private static func packed(_ path: String) -> String {
        let parts = path.split(separator: "/")
        guard parts.count > 2, let first = parts.first, let name = parts.last else { return path }
        return "\(first)/\(mark(ExactText(path).parentPath.text))/\(name)"
    }

    /// What is before the ending of a name, and that.
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
