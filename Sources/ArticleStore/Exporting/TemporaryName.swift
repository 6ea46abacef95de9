import Platform

/// What something that is being written is called until it is whole.
enum TemporaryName {
    private static let prefix = ".articlesctl-"

    /// Makes something under such a name that nothing has yet, for whom the umask says.
    /// - Parameters:
    ///   - folder: what it is made in, ended by a slash, or nothing.
    ///   - make: makes it at a path; false where that failed, as `errno` says.
    /// - Returns: the path; nil where nothing can be made there, as `errno` says.
    static func make(in folder: String, _ make: (String) -> Bool) -> String? {
        for _ in 0..<100 {
            let path = folder + prefix + String(UInt32.random(in: .min ... .max), radix: 36)
            if make(path) { return path }
            if errno != EEXIST { break }
        }
        return nil
    }
}
