import Text

/// The file of an export in many files that says of which sources they are, as the first line of an export in one file does.
enum SourcesFile {
    /// Its name, in the folder that holds the rest. An import reads it before all else there.
    static let name = "articlesctl-sources.json"

    /// What is in it, on one line: an object with the version of the format under `articlesctl`, and the sources.
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
