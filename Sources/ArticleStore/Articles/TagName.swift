package import Text

/// The name of a tag that a person gives: to an article or a source for all users, or to an article as an own tag.
public struct TagName: Sendable, Hashable, Comparable {
    /// The name as it was written.
    public let name: String
    /// The folded name, with which the tag is found. Two tags with the same key are equal.
    public let key: String

    /// The maximum number of Unicode scalars in a name.
    public static let longest = 100

    /// Creates a tag from a name. Spaces around the name are removed.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - use: the object that gets the name.
    /// - Throws: ``TagError`` if the name is empty or too long, or contains a comma, which separates tags in lists, or a
    ///   character that is harmful on a terminal.
    public init(_ name: String, for use: TagError.Use = .tag) throws(TagError) {
        let trimmed = String(name.trimmed)
        let key = SearchText.fold(trimmed)
        guard !key.isEmpty, trimmed.unicodeScalars.count <= Self.longest,
            !trimmed.unicodeScalars.contains(where: { $0 == "," || $0.isHarmful })
        else { throw TagError(name: name, use: use) }
        self.name = trimmed
        self.key = key
    }

    /// Creates a tag from its stored name.
    package init(stored name: String) {
        self.name = name
        key = SearchText.fold(name)
    }

    /// Whether two tags have the same key.
    public static func == (first: TagName, second: TagName) -> Bool { first.key == second.key }

    /// Whether the key of one tag is before that of another.
    public static func < (first: TagName, second: TagName) -> Bool {
        first.key.utf8.lexicographicallyPrecedes(second.key.utf8)
    }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// A text that cannot be the name of a tag, or of another object that follows the rule of tags.
public struct TagError: Error, Hashable, CustomStringConvertible {
    /// The objects whose names follow the rule. The raw value is the object in words.
    public enum Use: String, Sendable {
        /// A tag.
        case tag
        /// A saved search.
        case search = "name of a search"
        /// A rule.
        case rule = "name of a rule"
    }

    /// The text.
    public let name: String
    /// The object that should get the name.
    public let use: Use

    /// Creates the error for a text.
    public init(name: String, use: Use = .tag) { (self.name, self.use) = (name, use) }

    /// A sentence for people.
    public var description: String {
        "“\(name.shortened())” is not a valid \(use.rawValue): use 1 to \(TagName.longest) characters without "
            + "commas, line breaks, and control characters"
    }
}

extension TagError: ExplainedError {
    package var errorKind: ErrorKind { .invalid }
    package var problemCode: String { use == .tag ? "invalidTag" : "invalidName" }
}

extension TagName {
    /// Returns the tags that a person gives an article, without white space around them.
    ///
    /// - Parameter known: the tags that the article already has. A source does not follow the rule.
    /// - Throws: ``TagError`` for the first name that cannot be a tag.
    package static func checked(_ names: [String], keeping known: [String] = []) throws(TagError) -> [String] {
        var tags: [String] = []
        for name in names { tags.append(known.contains(name) ? name : try TagName(name).name) }
        return tags
    }
}
