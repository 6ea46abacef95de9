import Text

/// The file that lists the sources in an export of many files. In an export of one file, the first line does so.
package enum SourcesFile {
    /// The file name. An import reads this file before the others in the folder.
    package static let name = "articlesctl-sources.json"

    /// Returns the contents on one line: an object with the version of the format under `articlesctl`, and the sources.
    package static func text(_ sources: [Source]) -> String {
        let sources: [JSON] = sources.map { source in
            [
                "id": .string(source.uid.description), "name": .string(source.name),
                "kind": .string(source.kind.rawValue),
                "location": JSON(source.facts.location?.text), "home": JSON(source.facts.home),
                "feed": JSON(source.facts.feedURL),
                "tags": .array(source.facts.tags.map { .string($0.name) }),
            ]
        }
        let object: JSON = ["articlesctl": 1, "sources": .array(sources)]
        var writer = JSONWriter()
        writer.value(object)
        return writer.text
    }
}

/// The names of files and folders that an import skips.
package enum IgnoredName {
    /// Returns the reason to skip a file or folder because of its name; nil if it is not skipped.
    ///
    /// - Parameter parent: the name of the parent folder.
    package static func reason(for name: String, isFolder: Bool, in parent: String) -> String? {
        if name.hasPrefix(".") { return "hidden" }
        guard isFolder else { return nil }
        if dependencies.contains(name) { return "a folder of dependencies" }
        if parent == "vendor", bundled.contains(name) { return "a folder of dependencies" }
        if siteParts.contains(name) { return "a part of a site without articles" }
        return nil
    }

    /// The folders of package managers for JavaScript and Python.
    private static let dependencies: Set<String> = ["node_modules", "bower_components", "site-packages", "__pycache__"]
    /// The folders of Bundler in a folder named `vendor`. Jekyll skips the same ones.
    private static let bundled: Set<String> = ["bundle", "cache", "gems", "ruby"]
    /// The folders from which Jekyll and Eleventy build pages, and the folder of built pages.
    private static let siteParts: Set<String> = ["_data", "_includes", "_layouts", "_plugins", "_sass", "_site"]
}
