import Text

/// The file that lists the sources in an export of many files. In an export of one file, the first line does so.
enum SourcesFile {
    /// The file name. An import reads this file before the others in the folder.
    static let name = "articlesctl-sources.json"

    /// Returns the contents on one line: an object with the version of the format under `articlesctl`, and the sources.
    static func text(_ sources: [Source]) -> String {
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
