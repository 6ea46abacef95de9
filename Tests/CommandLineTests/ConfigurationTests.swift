import Foundation
import Testing

@Suite("The configuration")
struct ConfigurationTests {
    private func configure(_ home: Home, _ text: String) throws -> String {
        let folder = home.path(".config/articlesctl")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return try home.write(".config/articlesctl/config", text)
    }

    @Test("config show prints every key as a valid file, and without a file all have these values")
    func show() async throws {
        let home = try Home()
        let shown = try await home.run("config", "show")
        #expect(shown.status == 0)
        #expect(shown.output.contains("\n#theme = \"default\"\n") && shown.output.contains("\n[keys]\n"))
        #expect(try await home.run("config", "check").error == "")
        let path = try configure(home, shown.output)
        #expect(try await home.run("config", "check").output.contains(path))
        #expect(try await home.run("config", "path").output == "\(path)\n")
        _ = try configure(home, "width = 90")
        #expect(try await home.run("config", "show", "width", "keys.star").output == "width = 90\nstar = [\"*\"]\n")
        let object = try await home.run("config", "show", "width", "--json").object()
        let width = try #require(object.objects("keys").first)
        #expect(width.integer("value") == 90 && width.integer("default") == 72 && width.integer("line") == 1)
        #expect(try await home.run("config", "show", "widht").error.contains("'width'"))
    }

    @Test("A mistake is reported with its line by commands that use the file, and does not affect others")
    func mistake() async throws {
        let home = try await Home.signedIn()
        let path = try configure(home, "theme = \"dark\"\nwdith = 90\n")
        for arguments in [["list"], ["config", "check"]] {
            let outcome = try await home.run(arguments)
            #expect(outcome.status == 78)
            #expect(outcome.error.hasPrefix("articlesctl: \(path):2:1: ") && outcome.error.contains("'width'"))
            #expect(outcome.output == "")
        }
        #expect(try await home.run("list", "--json").failure().integer("code") == 78)
        let fine = [
            ["config", "show"], ["config", "path"], ["--help"], ["help", "read"], ["--version"], ["doctor"],
            ["backup", home.path("copy.db")], ["show", "1"], ["man"],
        ]
        for arguments in fine { #expect(try await home.run(arguments).status == 0, "\(arguments)") }
        #expect(try await home.run("restore", home.path("copy.db"), "--dry-run").status == 0)
        #expect(try await home.run("config", "show").error.contains("\(path):2:1: "))
        #expect(try await home.run("list", environment: ["ARTICLESCTL_CONFIG": "/dev/null"]).status == 0)
        #expect(try await home.run("list", environment: ["ARTICLESCTL_CONFIG": "none"]).status == 78)
    }

    @Test("The configuration gives the database, unless the option or the variable does")
    func database() async throws {
        let home = try Home()
        let configured = home.path("configured.db")
        _ = try configure(home, "database = \"\(configured)\"\n")
        func migrated(_ arguments: String..., environment: [String: String] = [:]) async throws -> String? {
            let outcome = try await home.run(["migrate", "--json"] + arguments, environment: environment)
            #expect(outcome.status == 0, "\(outcome.error)")
            return try outcome.object().string("database")
        }
        #expect(try await migrated() == configured)
        let variable = ["ARTICLESCTL_DATABASE": "variable.db"]
        #expect(try await migrated(environment: variable) == "variable.db")
        #expect(try await migrated("--database", "option.db", environment: variable) == "option.db")
        #expect(try await migrated(environment: ["ARTICLESCTL_CONFIG": "/dev/null"]) == home.database)
        _ = try configure(home, "database = \"~/home.db\"\n[keys]\nwrong = \"x\"\n")
        #expect(try await migrated() == home.path("home.db"))
        _ = try configure(home, "database = \"postgres://ada@127.0.0.1:1/articles\"\n")
        #expect(try await home.run("list").error.contains("Cannot connect to the database"))
    }

    @Test(
        "A mistake that hides the database stops every command that would use another one",
        arguments: [
            #"database = "articles.db""#, #"databse = "/articles.db""#, "database = /articles.db", "database = 1",
        ])
    func hiddenDatabase(line: String) async throws {
        let home = try Home()
        _ = try configure(home, line + "\n")
        for arguments in [["migrate"], ["users"], ["doctor"], ["list"]] {
            #expect(try await home.run(arguments).status == 78, "\(arguments)")
        }
        #expect(!FileManager.default.fileExists(atPath: home.path("data")))
        #expect(try await home.run("migrate", "--database", "given.db").status == 0)
    }

    @Test("list begins with the configuration, says so, and follows its options")
    func list() async throws {
        let home = try await Home.signedIn()
        _ = try configure(home, "[list]\nsort = \"title\"\nlimit = 3\n")
        let sorted = try await home.run("list")
        #expect(sorted.lines.count == 3)
        #expect(sorted.lines == (try await home.run("list", "--sort", "title", "-n", "3")).lines)
        #expect(try await home.run("list", "-n", "5").lines.count == 5)
        _ = try configure(home, "[list]\nstarred = true\nsort = \"title\"\nlimit = 3\n")
        let starred = try await home.run("list", "--sort", "newest")
        #expect(starred.output == "" && starred.error.contains("--starred"))
        #expect(!starred.error.contains("--sort") && !starred.error.contains("--limit"))
        // A filter replaces the filters of the file, and keeps its limit.
        #expect(try await home.run("list", "--unread").lines.count == 3)
        #expect(try await home.run("list", "--unread").error.contains("configuration") == false)
    }

    @Test("config edit opens a file with every key in it, and reports mistakes in the result")
    func edit() async throws {
        let home = try Home()
        let path = home.path(".config/articlesctl/config")
        #expect(try await home.run("config", "edit", environment: ["EDITOR": "true"]).status == 0)
        let made = try String(contentsOfFile: path, encoding: .utf8)
        #expect(made == (try await home.run("config", "show")).output)
        let wrong = try await home.run("config", "edit", environment: ["EDITOR": "echo width = 1 >"])
        #expect(wrong.status == 78)
        #expect(wrong.error.hasPrefix("articlesctl: \(path):1:9: "))
        #expect(try await home.run("config", "edit", environment: ["EDITOR": "false"]).status == 1)
    }
}

@Suite("The configuration of the reader", .enabled(if: Screen.isAvailable))
struct ConfiguredReaderTests {
    private func configure(_ home: Home, _ text: String) throws {
        let folder = home.path(".config/articlesctl")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try home.write(".config/articlesctl/config", text)
    }

    @Test("The reader uses the file's list, width, and keys, but choices made in the reader are newer")
    func reader() async throws {
        let home = try await Home.signedIn()
        try home.write("long.md", "---\ntitle: A long one\nslug: long\n---\n" + String(repeating: "word ", count: 300))
        try await #require(home.run("seed", "long.md").status == 0)
        try configure(home, "width = 48\n[list]\nauthor = \"Nobody\"\n[keys]\nwider = \"x\"\nquit = \"Q\"\n")
        func indent(_ text: String) -> Int? {
            text.split(separator: "\n").first { $0.contains("word word") }?.prefix { $0 == " " }.count
        }
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl")
            try await screen.wait(for: "by Nobody")
            try await screen.press("Q")
            try await screen.wait(for: "ready>")
            try await screen.type("clear; articlesctl open /articles/long")
            try await screen.wait(for: "48 columns, in the middle of 80") { indent($0) == 16 }
            try await screen.write("x")
            try await screen.wait(for: "52 columns")
            try await screen.press("Q")
            try await screen.wait(for: "ready>")
            try await screen.type("clear; articlesctl open /articles/long")
            try await screen.wait(for: "the width that was chosen") { indent($0) == 14 }
        }
    }

    @Test("The configured pager wins over PAGER, and this program's variable over both")
    func pager() async throws {
        let home = try await Home.signedIn()
        try home.write(
            "long.md", "---\ntitle: A long one\nslug: long\n---\n" + String(repeating: "word\n\n", count: 90))
        try await #require(home.run("seed", "long.md").status == 0)
        try configure(home, "pager = \"cat >/dev/null; echo configured\"\n")
        try await Screen.open(in: home) { screen in
            try await screen.type("PAGER='cat >/dev/null; echo general' articlesctl show long")
            try await screen.wait(for: "configured")
            try await screen.type("clear; ARTICLESCTL_PAGER='cat >/dev/null; echo o''wn' articlesctl show long")
            try await screen.wait(for: "own\n")
            #expect(try await screen.text().contains("configured") == false)
        }
    }
}
