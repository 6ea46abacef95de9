import Arguments
import ArticleStore
import FlowCoordinators
import Terminal
import TerminalReader
import TestSupport
import Testing

@testable import articlesctl

@Suite("The configuration")
struct ConfigurationTests {
    private func mistakes(_ text: String) -> [String] {
        ConfigurationText(text).mistakes.map { $0.text(in: "config") }
    }

    @Test("Every key is read")
    func values() throws {
        let text = ConfigurationText(
            """
            theme = "dark"
            width = 90
            mouse = false
            pager = "less -R"
            browser = "w3m"

            [list]
            unread = true
            sort = "title"
            limit = 20

            [keys]
            star = "x"
            down = ["j", "Ctrl-N"]
            """)
        #expect(text.mistakes.isEmpty)
        let configuration = text.configuration
        #expect(configuration.pager == "less -R" && configuration.browser == "w3m" && !configuration.mouse)
        let defaults = try configuration.defaults()
        #expect(defaults.appearance == .dark && defaults.textWidth.columns == 90)
        #expect(!defaults.list.query.marks.isEmpty && defaults.list.query.sort == .title && defaults.list.limit == 20)
        #expect(configuration.keys[.star]?.map(\.notation) == ["x"])
        #expect(configuration.keys[.down]?.map(\.notation) == ["j", "Ctrl-N"])
        #expect(configuration.keys[.up] == nil)
    }

    @Test(
        "A mistake is reported with its line, the accepted values, and a similar name",
        arguments: [
            ("\nthem = \"dark\"", "config:2:1: there is no key 'them'; did you mean 'theme'?"),
            (
                "theme = \"drak\"",
                "config:1:9: \"drak\" is not a valid value for theme: default, dark, light, contrast; did you mean 'dark'?"
            ),
            ("theme = dark", "config:1:9: invalid value; put texts in quotes, as in theme = \"dark\""),
            ("width = 20", "config:1:9: 20 is not a valid value for width: 40 to 200"),
            ("mouse = \"no\"", "config:1:9: \"no\" is not a valid value for mouse: true, false"),
            ("[list]\nsince = \"soonish\"", "config:2:9: 'soonish' is not a valid value for --since: expected"),
            ("[list]\nread = true\nunread = true", "config:3:10: --read and --unread cannot be combined"),
            ("[list]\nunred = true", "config:2:1: there is no key 'list.unred'; did you mean 'list.unread'?"),
            ("[keys]\nstarr = \"x\"", "config:2:1: there is no key 'keys.starr'; did you mean 'keys.star'?"),
            ("[keys]\nstar = \"Hyper-x\"", "config:2:8: 'Hyper-x' is not a key; write keys as"),
            (
                "[keys]\nstar = \"x\"\nlater = [\"z\",\n  \"x\"]", "config:4:3: 'x' is already the key of star"
            ),
            ("[keys]\nstar = \"1\"", "config:2:8: '1' cannot be used: it starts the number of a link"),
            (
                "[keys]\nstar = \"Ctrl-I\"",
                "config:2:8: 'Ctrl-I' is a key that terminals cannot distinguish from another"
            ),
            ("[keys]\nstar = \"Esc\"", "config:2:8: 'Esc' cannot be used: it goes back"),
            ("list = \"unread\"", "config:1:1: 'list' is a table: write [list]"),
            ("width = 90\nwidth = 80", "config:2:"),
            ("[keys", "config:1:"),
        ])
    func wrong(text: String, mistake: String) throws {
        let found = mistakes(text)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(mistake) == true, "\(found)")
    }

    @Test("Every mistake is reported, in the order of the file, and the rest applies")
    func several() {
        let text = ConfigurationText("width = 1\nmous = true\ntheme = \"light\"\n[keys]\nzap = \"z\"")
        #expect(text.mistakes.map(\.line) == [1, 2, 5])
        #expect(text.configuration.theme == .light)
    }

    @Test("Keys of different places may be the same")
    func places() {
        #expect(mistakes("[keys]\nlater = \"x\"\nsessions = \"x\"").isEmpty)
    }

    @Test("The default output sets nothing, and without its comments sets the defaults")
    func page() throws {
        let page = ConfigurationPage(text: ConfigurationText()).file
        let silent = ConfigurationText(page)
        #expect(silent.mistakes.isEmpty && silent.values.isEmpty)
        let spoken = ConfigurationText(
            page.split(separator: "\n").map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }
                .joined(separator: "\n"))
        #expect(spoken.mistakes.isEmpty, "\(spoken.mistakes)")
        #expect(Set(spoken.values.keys) == Set(ConfigurationKey.all.map(\.path)))
        #expect(try spoken.configuration.defaults() == Defaults())
        for purpose in KeyPurpose.allCases where purpose != .quit {
            #expect(spoken.configuration.keys[purpose] == purpose.standardKeys)
        }
    }

    @Test("The output for a file is a file with the same meaning")
    func again() {
        let text = ConfigurationText("pager = \"less \\\"-R\\\"\"\n[keys]\ndown = [\"x\", \"PgUp\"]\npage-up = []")
        let again = ConfigurationText(ConfigurationPage(text: text).file)
        #expect(text.mistakes.isEmpty && again.mistakes.isEmpty)
        #expect(again.configuration == text.configuration)
    }

    @Test("A missing file is the same as none, a named one must exist, and invalid text is an error")
    func files() throws {
        let folder = try TemporaryFolder()
        let file = { (variables: [String: String]) in ConfigurationFile { variables[$0] } }
        #expect(file(["HOME": folder.path]).path == folder.path + "/.config/articlesctl/config")
        #expect(
            file(["HOME": folder.path, "XDG_CONFIG_HOME": "here"]).path == folder.path + "/.config/articlesctl/config")
        #expect(file(["HOME": folder.path, "XDG_CONFIG_HOME": "/x"]).path == "/x/articlesctl/config")
        #expect(file([:]).path == nil)
        #expect(file(["HOME": folder.path]).read().mistakes.isEmpty)
        #expect(file(["ARTICLESCTL_CONFIG": "/dev/null"]).read().mistakes.isEmpty)
        #expect(file(["ARTICLESCTL_CONFIG": folder.file("none")]).read().mistakes.count == 1)
        #expect(file(["ARTICLESCTL_CONFIG": folder.path]).read().mistakes.first?.message.contains("directory") == true)
    }

    @Test("A condition replaces the configured ones, and order and number stay unless given")
    func list() throws {
        let configured = ConfigurationText("[list]\nunread = true\nsort = \"title\"\nlimit = 7").configuration
        func list(_ arguments: String...) throws -> ArticleList {
            guard case .run(let parsed) = try CommandTable.root.parse(["list"] + arguments) else {
                return ArticleList()
            }
            return try parsed.list(beginningWith: configured.startingList())
        }
        let plain = try list()
        #expect(!plain.query.marks.isEmpty && plain.query.sort == .title && plain.limit == 7)
        let tagged = try list("--tag", "swift")
        #expect(tagged.query.marks.isEmpty && tagged.query.sort == .title && tagged.limit == 7)
        let sorted = try list("--sort", "oldest", "-n", "3")
        #expect(!sorted.query.marks.isEmpty && sorted.query.sort == .oldest && sorted.limit == 3)
    }

    @Test("The manual page and the help have every key, of the configuration and of the reader")
    func manual() throws {
        let page = ManualPage(root: CommandTable.root, version: "1.2.3", date: "2026-01-31").roff
        #expect(page.contains(".SH \"KEYS\"\n") && page.contains(".SH \"CONFIGURATION\"\n"))
        let help = try #require(HelpPage(of: CommandTable.root, path: ["config"])).text(width: 80)
            .rendered(isColored: false)
        for key in ConfigurationKey.all {
            #expect(page.contains("\\fB" + key.path.replacing("-", with: "\\-") + "\\fR\n"))
            #expect(help.contains(key.path))
        }
        let keys = try #require(HelpPage(of: CommandTable.root, path: ["read"])).text(width: 100)
            .rendered(isColored: false)
        for purpose in KeyPurpose.allCases {
            #expect(keys.contains("(\(purpose.rawValue))"))
            #expect(page.contains("(\(purpose.rawValue.replacing("-", with: "\\-")))"))
        }
    }
}
