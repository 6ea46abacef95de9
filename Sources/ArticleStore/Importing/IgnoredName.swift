/// The names of files and folders that an import skips.
enum IgnoredName {
    /// Returns the reason to skip a file or folder because of its name; nil if it is not skipped.
    ///
    /// - Parameter parent: the name of the parent folder.
    static func reason(for name: String, isFolder: Bool, in parent: String) -> String? {
        if name.hasPrefix(".") { return "hidden" }
        guard isFolder else { return nil }
        if dependencies.contains(name) { return "a folder of dependencies" }
        if parent == "vendor", bundled.contains(name) { return "a folder of dependencies" }
        if siteParts.contains(name) { return "a part of a site that holds no articles" }
        return nil
    }

    /// The folders of package managers for JavaScript and Python.
    private static let dependencies: Set<String> = ["node_modules", "bower_components", "site-packages", "__pycache__"]
    /// The folders of Bundler in a folder named `vendor`. Jekyll skips the same ones.
    private static let bundled: Set<String> = ["bundle", "cache", "gems", "ruby"]
    /// The folders from which Jekyll and Eleventy build pages, and the folder of built pages.
    private static let siteParts: Set<String> = ["_data", "_includes", "_layouts", "_plugins", "_sass", "_site"]
}
