import ArticleFetching
import ArticleStore
import Arguments
import FlowCoordinators
import LibraryStores
import Terminal
import TerminalReader
import Text

/// A key of the configuration. The parser, `config show`, the manual page, the completions, and the documentation use
/// this table.
struct ConfigurationKey: Sendable {
    /// The table that contains the key; nil for the top level.
    let section: String?
    let name: String
    /// A description without a period.
    let summary: String
    let values: Kind
    /// The default value.
    let standard: JSON
    /// Stores a value in the configuration.
    ///
    /// - Throws: a mistake if the value is invalid.
    let set: @Sendable (Value, inout Configuration) throws(ConfigurationMistake) -> Void

    /// The type of a value.
    enum Kind: Hashable, Sendable {
        case choice([String])
        case number(ClosedRange<Int>)
        case bool
        case text
        case keys

        var words: String {
            switch self {
            case .choice(let choices): choices.joined(separator: ", ")
            case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
            case .bool: "true, false"
            case .text: "text"
            case .keys: "one or more keys"
            }
        }
    }

    /// A value with its place in the file.
    struct Value: Sendable {
        let json: JSON
        let places: [(line: Int, column: Int)]

        /// Returns a mistake at the place of the value, or of one of an array's elements.
        func mistake(_ message: String, element: Int? = nil) -> ConfigurationMistake {
            let index = element.map { $0 + 1 } ?? 0
            let place = places.indices.contains(index) ? places[index] : places.first
            return ConfigurationMistake(message, line: place?.line, column: place?.column)
        }
    }

    /// The path of the key, such as `list.sort`.
    var path: String { section.map { $0 + "." + name } ?? name }

    /// The key of the place of the library.
    static let database = ConfigurationKey(
        section: nil, name: "database",
        summary: "the database, unless --database or ARTICLESCTL_DATABASE is given: a whole path, ~/…, or postgres://…",
        values: .text, standard: ""
    ) { value, configuration throws(ConfigurationMistake) in
        configuration.database = value.words
        // A relative path would name another file in each folder.
        if case .file(let path)? = value.words.map({ StorePlace($0) }), !path.hasPrefix("/"), !path.hasPrefix("~/") {
            throw value.mistake("'\(path)' is not a whole path: begin it with / or ~/")
        }
    }

    static let all: [ConfigurationKey] =
        [
            database,
            ConfigurationKey(
                section: nil, name: "theme",
                summary: "the theme of the reader, unless you chose one under Appearance",
                values: .choice(Appearance.allCases.map(\.rawValue)), standard: .string(Appearance.default.rawValue)
            ) { value, configuration throws(ConfigurationMistake) in
                configuration.theme = Appearance(rawValue: value.json.text ?? "") ?? .default
            },
            ConfigurationKey(
                section: nil, name: "width",
                summary: "the width of text in the reader, in columns, unless you changed it with its keys",
                values: .number(TextWidth.limits), standard: JSON(TextWidth.default.columns)
            ) { value, configuration throws(ConfigurationMistake) in
                configuration.width = value.integer.map(TextWidth.init(columns:)) ?? .default
            },
            ConfigurationKey(
                section: nil, name: "mouse",
                summary: "whether the reader responds to the mouse; to select text, hold Shift",
                values: .bool, standard: true
            ) { value, configuration throws(ConfigurationMistake) in
                configuration.mouse = value.json != .bool(false)
            },
            ConfigurationKey(
                section: nil, name: "pager",
                summary: "the command that shows long texts, instead of PAGER; “cat” for no pager",
                values: .text,
                standard: ""
            ) { value, configuration throws(ConfigurationMistake) in
                configuration.pager = value.words
            },
            ConfigurationKey(
                section: nil, name: "browser",
                summary: "the command that opens web links, instead of BROWSER; %s is replaced by the address",
                values: .text,
                standard: ""
            ) { value, configuration throws(ConfigurationMistake) in
                configuration.browser = value.words
            },
            ConfigurationKey(
                section: "fetch", name: "contact",
                summary: "your web or e-mail address, which User-Agent contains when feeds are fetched",
                values: .text, standard: ""
            ) { value, configuration throws(ConfigurationMistake) in
                guard FetchSettings.isContact(value.json.text ?? "") else {
                    throw value.mistake("an address has no spaces, brackets, or control characters")
                }
                configuration.fetch.contact = value.words
            },
            ConfigurationKey(
                section: "fetch", name: "allow-host",
                summary:
                    "the hosts with spaces between them that feeds may be fetched from even if they are in a private network",
                values: .text, standard: ""
            ) { value, configuration throws(ConfigurationMistake) in
                for text in (value.words ?? "").split(separator: " ") {
                    guard let host = FetchSettings.host(String(text)) else {
                        throw value.mistake("'\(text)' is not the name or the IP address of a host")
                    }
                    configuration.fetch.trustedHosts.insert(host)
                }
            },
            ConfigurationKey(
                section: "fetch", name: "images",
                summary: "whether the images of new articles are fetched and kept in the library",
                values: .choice(["off", "kept"]), standard: "off"
            ) { value, configuration throws(ConfigurationMistake) in
                configuration.fetch.keepsImages = value.json.text == "kept"
            },
        ] + ArticleListSetting.all.filter { $0.name != "cursor" }.map(list) + KeyPurpose.allCases.map(keys)

    /// Returns the key for an option of `list`.
    private static func list(_ setting: ArticleListSetting) -> ConfigurationKey {
        let (values, standard): (Kind, JSON) =
            switch setting.value {
            case .flag: (.bool, false)
            case .sort: (.choice(setting.choices ?? []), JSON(setting.defaultValue))
            case .limit: (.number(ArticleList.limits), JSON(ArticleList.defaultLimit))
            case .text, .date, .cursor: (.text, "")
            }
        return ConfigurationKey(
            section: "list", name: setting.name, summary: setting.summary, values: values, standard: standard
        ) { value, configuration throws(ConfigurationMistake) in
            let argument: String
            switch value.json {
            case .bool(let isGiven):
                guard isGiven else { return }
                argument = "--" + setting.name
            case .number(let number): argument = "--\(setting.name)=\(number)"
            default:
                guard let text = value.words else { return }
                argument = "--\(setting.name)=\(text)"
            }
            var wanted = configuration
            wanted.list.append(argument)
            do {
                _ = try wanted.startingList()
            } catch {
                throw value.mistake((error as? UsageError)?.message ?? CommandError(error).message)
            }
            configuration = wanted
        }
    }

    /// Returns the key for the keyboard keys of a purpose.
    private static func keys(_ purpose: KeyPurpose) -> ConfigurationKey {
        ConfigurationKey(
            section: "keys", name: purpose.rawValue, summary: purpose.summary, values: .keys,
            standard: JSON(purpose.standardKeys.map(\.notation))
        ) { value, configuration throws(ConfigurationMistake) in
            var keys: [KeyPress] = []
            for (index, name) in value.strings.enumerated() {
                let element = value.strings.count == 1 && value.json.text != nil ? nil : index
                let key: KeyPress
                do throws(KeyPress.NotationError) {
                    key = try KeyPress(notation: name)
                } catch {
                    // Ctrl-C quits anyway, so accept it here.
                    if purpose == .quit, name.lowercased() == "ctrl-c" { continue }
                    let reason =
                        switch error {
                        case .unknown: "is not a key; write keys as j, J, Space, PgDn, F2, Ctrl-D, or Alt-x"
                        case .ambiguous: "is a key that terminals cannot distinguish from another"
                        case .reserved(let use): "cannot be used: it \(use)"
                        }
                    throw value.mistake("'\(name)' \(reason)", element: element)
                }
                if key == KeyPress(.escape), purpose != .back {
                    throw value.mistake("'\(name)' cannot be used: it goes back", element: element)
                }
                if let owner = configuration.keys.owner(of: key, besides: purpose) {
                    throw value.mistake("'\(name)' is already the key of \(owner.rawValue)", element: element)
                }
                if !keys.contains(key) { keys.append(key) }
            }
            configuration.keys[purpose] = keys
        }
    }

    /// Whether a value has the required type.
    func accepts(_ json: JSON) -> Bool {
        switch (values, json) {
        case (.choice(let choices), .string(let text)): choices.contains(text)
        case (.number(let range), .number(let text)): Int(text).map(range.contains) ?? false
        case (.bool, .bool), (.text, .string), (.keys, .string): true
        case (.keys, .array(let elements)): elements.allSatisfy { if case .string = $0 { true } else { false } }
        default: false
        }
    }
}

extension ConfigurationKey.Value {
    /// The value as a text that is not empty.
    fileprivate var words: String? { json.text.flatMap { $0.isEmpty ? nil : $0 } }

    fileprivate var integer: Int? { if case .number(let text) = json { Int(text) } else { nil } }

    fileprivate var strings: [String] {
        if case .array(let elements) = json { elements.compactMap(\.text) } else { [json.text].compactMap(\.self) }
    }
}
