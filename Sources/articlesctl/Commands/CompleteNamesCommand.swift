import LibraryStores
import Arguments
import ArticleStore
import AuthService
import FlowCoordinators
import Terminal
import Text

/// `complete-names`: prints the names that a shell offers while the user types.
///
/// It changes nothing, and prints only names. Without a database or a session it prints nothing.
struct CompleteNamesCommand: Command {
    /// The maximum number of names.
    static let limit = 200

    static let name = "complete-names"
    static let spec = CommandSpec(
        name: name, summary: "print names for shell completion, one per line",
        discussion:
            "Prints at most \(limit) names that begin with START. Prints nothing if none are visible.",
        arguments: [
            ArgumentSpec(
                name: "KIND", summary: "the kind of names", values: .choices(NameKind.allCases.map(\.rawValue))),
            ArgumentSpec(name: "START", summary: "the beginning of the names", isRequired: false),
        ],
        isHidden: true,
        examples: [Example(command: "articlesctl complete-names tag sw", summary: "print tags that begin with “sw”")])

    private let kind: NameKind
    private let start: String

    init(_ parsed: ParsedCommand) throws {
        guard let kind = parsed.argument("KIND").flatMap(NameKind.init) else {
            throw parsed.error(.missingArguments(["KIND"]))
        }
        self.kind = kind
        start = parsed.argument("START") ?? ""
    }

    func run(in context: Context) async throws {
        // The user is typing a line, so print no error.
        guard let names = try? await names(in: context) else { return }
        for name in names.prefix(Self.limit) where name.isOneLine { try context.output.writeLine(name) }
    }

    private func names(in context: Context) async throws -> [String] {
        switch kind {
        case .fields: return start.completed(after: [","], by: ListedField.all.map(\.name))
        case .template: return start.completed(after: ["{", "}"], by: ListedField.all.map { "{" + $0.name + "}" })
        case .place where !start.hasPrefix("/articles/"): return Self.places.filter { $0.hasPrefix(start) }
        default: break
        }
        var options = Stores.Options()
        options.busyTimeout = 0
        options.makesPrivate = false
        let stores = try await Stores.open(try context.locations.place, options: options)
        let articles = stores.articles
        // Like the commands that take these names, it needs no session.
        switch kind {
        case .source:
            let key = FoldedKey.fold(start)
            return try await articles.sources().map(\.name).filter { FoldedKey.fold($0).hasPrefix(key) }.sorted()
        case .sourceTag:
            let key = SearchText.fold(start)
            return try await articles.sources().tags.filter { $0.key.hasPrefix(key) }.map(\.name).sorted()
        case .user:
            let key = FoldedKey.fold(start)
            return try await stores.accounts.users().map(\.username.text).filter { $0.hasPrefix(key) }
        default: break
        }
        guard let session = try await context.sessionLookedUp(in: stores) else { return [] }
        let user = session.user.id
        func ownTags(beginningWith start: String) async throws -> [String] {
            let key = SearchText.fold(start)
            return try await stores.marks.counts(of: user).tags.filter { $0.tag.key.hasPrefix(key) }.map(\.tag.name)
        }
        switch kind {
        case .article: return try await articles.slugs(beginningWith: start.lowercased(), limit: Self.limit)
        case .place:
            let slug = start.dropFirst("/articles/".count)
            return try await articles.slugs(beginningWith: String(slug), limit: Self.limit).map {
                AppRoute.article(ArticleReference($0)).path
            }
        case .author: return try await articles.labels(.author, beginningWith: start, limit: Self.limit).map(\.name)
        case .ownTag: return try await ownTags(beginningWith: start)
        case .savedSearch:
            let key = SearchText.fold(start)
            return try await stores.marks.savedSearches(of: user).filter { $0.name.key.hasPrefix(key) }.map(\.name.name)
        case .rule:
            let key = SearchText.fold(start)
            return try await stores.marks.rules(of: user).filter { $0.name.key.hasPrefix(key) }.map(\.name.name)
        case .tag:
            let prefix = "mine:"
            let ownStart = start.hasPrefix(prefix) ? String(start.dropFirst(prefix.count)) : ""
            let isOwn = start.hasPrefix(prefix) || prefix.hasPrefix(start)
            let own = isOwn ? try await ownTags(beginningWith: ownStart) : []
            return try await articles.labels(.tag, beginningWith: start, limit: Self.limit - min(own.count, 50)).map(
                \.name)
                + own.map { prefix + $0 }
        // An API token gives access to neither.
        case .session where session.apiToken == nil:
            return try await stores.accounts.sessions(of: user).map(\.id.description)
                .filter { $0.hasPrefix(start) }
        case .token where session.apiToken == nil:
            return try await stores.accounts.tokens(of: user).map(\.name)
                .filter { $0.hasPrefix(start) }
        case .session, .token, .fields, .template, .source, .sourceTag, .user: return []
        }
    }

    /// The places that have a fixed path and can be opened from outside.
    private static let places: [String] =
        AppRoute.screens.filter { route in
            switch route {
            case .leave, .confirmation, .secondFactor, .recoveryCodes, .madeToken, .madeFeedAddress, .madeCode: false
            default: route.path == route.screenName
            }
        }.map(\.path) + ["/articles/", "/users/"]
}

extension String {
    /// Returns the text completed with each of the words that begin with its last part, which follows one of these
    /// characters.
    fileprivate func completed(after separators: Set<Character>, by words: [String]) -> [String] {
        let place = lastIndex(where: separators.contains)
        // An open brace belongs to the word.
        let end = place.map { self[$0] == "{" ? $0 : index(after: $0) } ?? startIndex
        return words.filter { $0.hasPrefix(self[end...]) }.map { self[..<end] + $0 }
    }

    /// Whether the name fits on one line and can be typed.
    fileprivate var isOneLine: Bool {
        !isEmpty
            && unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control && $0.value != 0x2028 && $0.value != 0x2029
            }
    }
}
