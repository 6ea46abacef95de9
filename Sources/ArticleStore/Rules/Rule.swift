package import Text

/// A rule of a user: an article that meets its condition when it arrives gets the marks of its actions.
public struct Rule: Sendable, Hashable {
    /// The maximum number of rules of a user.
    public static let most = 100

    /// The name.
    public var name: TagName
    /// The condition.
    public var condition: RuleCondition
    /// The actions, each once.
    public let actions: [RuleAction]

    /// Creates a rule.
    /// - Throws: ``RuleError/noAction`` without actions.
    public init(name: TagName, condition: RuleCondition, actions: [RuleAction]) throws(RuleError) {
        guard !actions.isEmpty else { throw .noAction }
        self.init(name, condition, actions)
    }

    private init(_ name: TagName, _ condition: RuleCondition, _ actions: [RuleAction]) {
        (self.name, self.condition) = (name, condition)
        var seen: Set<RuleAction> = []
        self.actions = actions.filter { seen.insert($0).inserted }
    }

    /// Creates a rule from its stored form; nil if this version does not know all of it.
    package init?(storedName: String, condition: RuleCondition?, actions: String) {
        let known = actions.split(separator: ",").map { RuleAction(stored: String($0)) }
        guard let condition, !known.isEmpty, !known.contains(nil) else { return nil }
        self.init(TagName(stored: storedName), condition, known.compactMap(\.self))
    }

    /// The stored form of the actions.
    package var storedActions: String { actions.map(\.text).joined(separator: ",") }

    /// The rule in words, such as `Star, tag with “swift”: articles from Swift Forums`.
    ///
    /// - Parameter source: the name of the source.
    package func words(source: String?) -> String {
        let effects = actions.map(\.words).joined(separator: ", ")
        return effects.prefix(1).uppercased() + effects.dropFirst() + ": articles " + condition.words(source: source)
    }
}

/// An effect of a rule.
public enum RuleAction: Sendable, Hashable {
    /// Marks the article as read, and hides it from the user's lists.
    case hide
    /// Marks the article as read.
    case markRead
    /// Stars the article.
    case star
    /// Saves the article for later.
    case saveForLater
    /// Gives the article one of the user's tags.
    case tag(TagName)

    /// The actions without a value, by their names.
    package static let simple: KeyValuePairs<String, RuleAction> = [
        "hide": .hide, "read": .markRead, "star": .star, "later": .saveForLater,
    ]

    /// The action as a text: `hide`, `read`, `star`, `later`, or `tag:NAME`.
    package var text: String {
        if case .tag(let tag) = self { return "tag:" + tag.name }
        return Self.simple.first { $0.value == self }?.key ?? ""
    }

    /// The action in words.
    fileprivate var words: String {
        switch self {
        case .hide: "hide"
        case .markRead: "mark as read"
        case .star: "star"
        case .saveForLater: "save for later"
        case .tag(let tag): "tag with “\(tag.name)”"
        }
    }

    /// Creates an action from the text of a user.
    /// - Throws: ``RuleError/invalidAction(_:)``; `TagError`.
    package init(_ text: String) throws {
        if text.hasPrefix("tag:") {
            self = .tag(try TagName(String(text.dropFirst("tag:".count))))
        } else if let action = Self(stored: text) {
            self = action
        } else {
            throw RuleError.invalidAction(text)
        }
    }

    /// Creates an action from its stored text; nil if this version does not know it.
    init?(stored text: String) {
        if text.hasPrefix("tag:") {
            self = .tag(TagName(stored: String(text.dropFirst("tag:".count))))
        } else if let action = Self.simple.first(where: { $0.key == text })?.value {
            self = action
        } else {
            return nil
        }
    }
}

extension [Rule] {
    /// Returns the marks that these rules give an article at a time.
    package func marks(at time: Date) -> ArticleMarks {
        var marks = ArticleMarks()
        for action in flatMap(\.actions) {
            switch action {
            case .hide: (marks.hidden, marks.read) = (.init(true, changed: time), .init(true, changed: time))
            case .markRead: marks.read = .init(true, changed: time)
            case .star: marks.starred = .init(true, changed: time)
            case .saveForLater: marks.later = .init(true, changed: time)
            case .tag(let tag): marks.tags.append(.init(tag, changed: time))
            }
        }
        return marks
    }
}

/// The rules of a user, and how far they were applied.
public struct UserRules: Sendable, Hashable {
    /// The ID of the user.
    public let user: Int64
    /// The number of the last article to which the rules were applied.
    public let appliedTo: Int64
    /// The rules.
    public var rules: [Rule]

    /// Creates the rules of a user.
    public init(user: Int64, appliedTo: Int64, rules: [Rule]) {
        (self.user, self.appliedTo, self.rules) = (user, appliedTo, rules)
    }
}

extension UserRules {
    /// Returns the rules of each user from rules that are ordered by user.
    /// - Parameter rows: the user, how far the rules of the user were applied, and a rule; nil for a rule that this version
    ///   does not know.
    package static func grouping(_ rows: [(user: Int64, appliedTo: Int64, rule: Rule?)]) -> [UserRules] {
        var users: [UserRules] = []
        for row in rows {
            if users.last?.user != row.user {
                users.append(UserRules(user: row.user, appliedTo: row.appliedTo, rules: []))
            }
            if let rule = row.rule { users[users.count - 1].rules.append(rule) }
        }
        return users
    }
}

/// The reason why a rule cannot be saved, found, or applied. ``TagError`` reports an invalid name.
public enum RuleError: Error, Hashable, Sendable {
    /// The user's rule with this name does not exist.
    case noRule(String)
    /// The user has another rule with this name.
    case nameIsTaken(TagName)
    /// The user has the maximum number of rules.
    case tooMany
    /// The rule does not have an action.
    case noAction
    /// The text is not an action.
    case invalidAction(String)
    /// The rule does not have a condition.
    case noCondition
    /// The search has a part that is not valid.
    case invalidSearch(String)
    /// The search is longer than other searches may be.
    case longSearch
    /// The texts of a rule are too long for the path of its form.
    case longForm
    /// The search has a condition on marks, which a new article does not have.
    case marksInSearch
    /// The address is empty or too long.
    case invalidAddress
    /// The text is not a valid pattern.
    case invalidPattern(String, reason: String)
    /// This system cannot search for patterns, for this reason.
    case noPatterns(String)
}

extension RuleError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .noRule(let name): "you have no rule “\(name.shortened())”"
        case .nameIsTaken(let name): "you have another rule “\(name.name)”"
        case .tooMany: "you have the maximum of \(Rule.most) rules; remove one first"
        case .noAction: "a rule needs an action: hide, read, star, later, or a tag"
        case .invalidAction(let text):
            "“\(text.shortened())” is not an action: use hide, read, star, later, or tag:NAME"
        case .noCondition: "a rule needs a condition: words of a search, a source, an address, or a pattern"
        case .invalidSearch(let part):
            "“\(part.shortened())” in the search cannot be used: it has no value, or the search has too many parts"
        case .longSearch: "the search of a rule has at most \(SearchQuery.length) characters"
        case .longForm:
            "the texts are too long to be tried in a form; save the rule, and run: articlesctl rules try NAME"
        case .marksInSearch: "a rule cannot depend on your marks: new articles do not have any"
        case .invalidAddress:
            "the part of an address has 1 to \(RuleCondition.longestAddress) characters without spaces"
        case .invalidPattern(let text, let reason): "“\(text.shortened())” is not a valid pattern: \(reason)"
        case .noPatterns(let reason): "patterns need the library PCRE2, which cannot be loaded: \(reason)"
        }
    }
}

extension RuleError: ExplainedError {
    package var errorKind: ErrorKind {
        switch self {
        case .noRule: .notFound
        case .nameIsTaken, .tooMany: .conflict
        case .noPatterns: .unavailable
        case .noAction, .invalidAction, .noCondition, .invalidSearch, .longSearch, .longForm, .marksInSearch,
            .invalidAddress, .invalidPattern:
            .invalid
        }
    }

    package var problemCode: String {
        switch self {
        case .noRule: "notFound"
        case .nameIsTaken: "nameIsTaken"
        case .tooMany: "tooManyRules"
        case .noPatterns: "noPatterns"
        case .noAction, .invalidAction, .noCondition, .invalidSearch, .longSearch, .longForm, .marksInSearch,
            .invalidAddress, .invalidPattern:
            "invalidRule"
        }
    }

    package var hint: String? {
        switch self {
        case .noRule: "list them with: articlesctl rules"
        case .noPatterns: "install it (on Debian: apt-get install libpcre2-8-0), or remove the rules with patterns"
        default: nil
        }
    }
}
