/// Names in folders that nobody means when they give a folder to an import.
enum IgnoredName {
    /// Why a folder or a file is passed over because of its name; nil where it is not.
    ///
    /// - Parameter parent: the folder that it is in.
    static func reason(for name: String, isFolder: Bool, in parent: String) -> String? {
        if name.hasPrefix(".") { return "hidden" }
        guard isFolder else { return nil }
        if dependencies.contains(name) { return "a folder of dependencies" }
        if parent == "vendor", bundled.contains(name) { return "a folder of dependencies" }
        if siteParts.contains(name) { return "a part of a site that holds no articles" }
        return nil
    }

    /// What package managers of JavaScript and Python fill.
    private static let dependencies: Set<String> = ["node_modules", "bower_components", "site-packages", "__pycache__"]
    /// What Bundler fills in a folder called vendor. Jekyll passes the same over.
    private static let bundled: Set<String> = ["bundle", "cache", "gems", "ruby"]
    /// What Jekyll and Eleventy make pages with, and the pages that they made.
    private static let siteParts: Set<String> = ["_data", "_includes", "_layouts", "_plugins", "_sass", "_site"]
}
