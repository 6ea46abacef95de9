package import Text

/// The reason why an operation on a source failed.
public enum SourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A source with this name does not exist. The user may have meant one with a similar name.
    case noSource(String, similar: [String] = [])
    /// Another source has this name, in this spelling.
    case nameTaken(String)
    /// The text cannot be the name of a source.
    case unusableName(String)
    /// A source has the maximum number of tags.
    case tooManyTags
    /// The articles of the source come from a location outside the library, so articles cannot be added to it here.
    case isElsewhere(SourceFacts)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .noSource(let name, let similar):
            "there is no source “\(name.shortened())”"
                + (similar.isEmpty ? "" : "; did you mean \(similar.map { "“\($0)”" }.joined(separator: " or "))?")
        case .nameTaken(let name): "the name is already used by the source “\(name)”"
        case .unusableName(let name):
            "“\(name.shortened())” is not a valid source name: use 1 to \(SourceFacts.nameLimit) characters without control characters"
        case .tooManyTags: "a source can have at most \(SourceFacts.mostTags) tags; remove one first"
        case .isElsewhere(let facts):
            "the articles of “\(facts.name)” come from \(facts.location?.text ?? "elsewhere"): add the article there and import it again"
        }
    }
}

extension SourceFacts {
    /// The maximum number of Unicode scalars in a name that a person gives.
    public static let nameLimit = 200

    /// Returns a name that a person gives to a source, without white space around it.
    /// - Throws: ``SourceError/unusableName(_:)`` if the name is empty, too long, or contains harmful characters.
    public static func checkedName(_ text: String) throws(SourceError) -> String {
        let name = String(text.trimmed)
        // Look for harmful characters in the original text, because trimming also removes control characters.
        guard !FoldedKey.fold(name).isEmpty, name.unicodeScalars.count <= nameLimit,
            !text.unicodeScalars.contains(where: \.isHarmful)
        else { throw .unusableName(text) }
        return name
    }
}

extension SourceError: ExplainedError {
    package var errorKind: ErrorKind {
        switch self {
        case .noSource: .notFound
        case .nameTaken, .isElsewhere: .conflict
        default: .invalid
        }
    }

    package var hint: String? {
        switch self {
        case .noSource: "list them with: articlesctl sources"
        case .isElsewhere: "or add the article to another source with --source"
        default: nil
        }
    }

    package var problemCode: String { "source" }
}
