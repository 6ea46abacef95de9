import Foundation
import Synchronization
import TestSupport
import Testing

/// A site on loopback with pages that a test changes.
private final class FeedSite: Sendable {
    struct Request {
        let path: String
        /// The fields by their names in lower case.
        let fields: [String: String]
    }

    private let pages = Mutex<[String: (status: Int, type: String, text: String)]>([:])
    private let seen = Mutex<[Request]>([])
    private let expected = Mutex<String?>(nil)

    /// The value of `Authorization` that each request must have.
    var login: String? {
        get { expected.withLock { $0 } }
        set { expected.withLock { $0 = newValue } }
    }

    var requests: [Request] { seen.withLock { $0 } }

    func set(_ path: String, _ text: String, status: Int = 200, type: String = "application/xml") {
        pages.withLock { $0[path] = (status, type, text) }
    }

    func response(to text: String) -> [UInt8] {
        let lines = text.split(separator: "\r\n")
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ": ", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? String(parts[1]) : "")
        }
        let request = Request(
            path: lines.first.map { String($0.split(separator: " ")[1].prefix { $0 != "?" }) } ?? "",
            fields: Dictionary(fields, uniquingKeysWith: { $1 }))
        seen.withLock { $0.append(request) }
        var page = pages.withLock { $0[request.path] } ?? (status: 404, type: "text/plain", text: "")
        if let login, request.fields["authorization"] != login { page = (401, "text/plain", "") }
        let tag = "\"\(page.text.utf8.count)\""
        if page.status == 200, request.fields["if-none-match"] == tag { (page.status, page.text) = (304, "") }
        return Array(
            """
            HTTP/1.1 \(page.status) X\r\nETag: \(tag)\r\nContent-Type: \(page.type)\r\nConnection: close\r
            Content-Length: \(page.text.utf8.count)\r\n\r\n\(page.text)
            """.utf8)
    }
}

@Suite("Subscriptions")
struct FetchTests {
    /// Serves a site while the body runs with its address.
    private func serving(_ body: (FeedSite, String) async throws -> Void) async throws {
        let site = FeedSite()
        let server = try RawServer { site.response(to: $0) }
        defer { server.stop() }
        try await body(site, "http://127.0.0.1:\(server.port)")
    }

    private func feed(_ entries: Int) -> String {
        let items = (0..<entries).map {
            "<item><guid>g\($0)</guid><title>T\($0)</title><pubDate>Tue, 14 Nov 2023 22:13:\(10 + $0) GMT</pubDate></item>"
        }
        return "<rss><channel><title>Blog</title>\(items.joined())</channel></rss>"
    }

    private let allow = ["--allow-host", "127.0.0.1"]

    @Test("A page's feed is subscribed, fetched, shown, and unsubscribed; its articles stay")
    func life() async throws {
        let home = try await Home.migrated()
        try await serving { site, address in
            site.set(
                "/", #"<html><link rel="alternate" type="application/rss+xml" href="feed"></html>"#, type: "text/html")
            site.set("/feed", feed(2))
            let subscribed = try await home.run(["subscribe", address, "--tag", "News", "--json"] + allow)
            #expect(subscribed.status == 0, "\(subscribed.error)")
            #expect(try subscribed.object().integer("new") == 2)
            #expect(try subscribed.object().string("name") == "Blog")
            // The same feed by its own address.
            let again = try await home.run(["subscribe", address + "/feed", "--json"] + allow)
            #expect(try again.object().string("outcome") == "known")

            site.set("/feed", feed(3))
            site.set("/favicon.ico", "GIF89a", type: "text/plain")
            let fetched = try await home.run(["fetch", "blog", "--json"] + allow)
            #expect(fetched.status == 0, "\(fetched.error)")
            #expect(try (fetched.object().integer("fetched"), fetched.object().integer("new")) == (1, 1))
            let request = try #require(site.requests.last { $0.path == "/feed" })
            #expect(request.fields["if-none-match"] != nil)
            #expect(request.fields["user-agent"]?.hasPrefix("articlesctl/") == true)
            #expect(request.fields["cookie"] == nil)
            // Nothing is due any more.
            let count = site.requests.count
            #expect(try await home.run(["fetch"] + allow).status == 0)
            #expect(site.requests.count == count)

            let source = try #require(try await home.run("sources", "--json").object().objects("sources").first)
            #expect(source.strings("tags") == ["News"])
            #expect(site.requests.suffix(2).map(\.path) == ["/", "/favicon.ico"])
            #expect(source.string("icon") == "/sources/\(source.string("id") ?? "")/icon")
            let subscription = try source.object("subscription")
            #expect(subscription.string("address") == address + "/feed")
            #expect(subscription.string("nextFetch") != nil)
            #expect(subscription.isNull("lastError"))

            #expect(try await home.run("unsubscribe", "Blog").status == 0)
            let rest = try #require(try await home.run("sources", "--json").object().objects("sources").first)
            #expect(rest.isNull("subscription"))
            #expect(rest.integer("articles") == 3)
            #expect(try await home.run("unsubscribe", "Blog").status == 66)
            try await #require(home.register("ada").status == 0)
            try await #require(home.logIn("ada").status == 0)
            #expect(try await !home.run("export", "--format", "opml").output.contains("<outline"))
            let renewed = try await home.run(["subscribe", address + "/feed"] + allow)
            #expect(renewed.status == 0, "\(renewed.error)")
            #expect(try await home.run("export", "--format", "opml").output.contains(address + "/feed"))
            #expect(try await home.run("unsubscribe", "Blog").status == 0)
            #expect(try await home.run(["fetch", "Blog"] + allow).status == 66)
            let details = try await home.sql("SELECT detail FROM audit WHERE event = 'libraryChanged' ORDER BY id")
            #expect(details.contains("subscribe: http"))
            #expect(details.contains("unsubscribe: "))
        }
    }

    @Test("With --keep-images or its setting, pictures are stored, embedded, exported, and removed with their article")
    func pictures() async throws {
        let home = try await Home.migrated()
        try await serving { site, address in
            func item(_ name: String) -> String {
                "<item><guid>\(name)</guid><title>\(name)</title><link>\(address)/\(name)</link>"
                    + "<description>&lt;img src='/\(name).gif'&gt; &lt;img src='/common.gif'&gt;</description></item>"
            }
            func serve(_ names: String...) {
                let items = names.map(item).joined()
                site.set("/feed", "<rss><channel><title>Blog</title>\(items)</channel></rss>")
            }
            for name in ["old", "one", "two", "common"] {
                site.set("/\(name).gif", "GIF89a \(name)", type: "text/plain")
            }
            serve("old")
            #expect(try await home.run(["subscribe", address + "/feed"] + allow).status == 0)
            serve("old", "one")
            #expect(try await home.run(["fetch", "Blog", "--keep-images"] + allow).status == 0)
            func requests(of name: String) -> Int { site.requests.filter { $0.path == "/\(name).gif" }.count }
            #expect((requests(of: "old"), requests(of: "one"), requests(of: "common")) == (0, 1, 1))
            for request in site.requests where request.path.hasSuffix(".gif") {
                #expect(request.fields["referer"] == nil && request.fields["cookie"] == nil)
            }
            try FileManager.default.createDirectory(
                atPath: home.path(".config/articlesctl"), withIntermediateDirectories: true)
            try home.write(".config/articlesctl/config", "[fetch]\nimages = \"kept\"\n")
            serve("old", "one", "two")
            #expect(try await home.run(["fetch", "Blog"] + allow).status == 0)
            #expect((requests(of: "old"), requests(of: "one"), requests(of: "two")) == (0, 1, 1))
            #expect(try await home.sql("SELECT count(*) FROM picture") == "3")

            try await #require(home.register("ada").status == 0)
            try await #require(home.logIn("ada").status == 0)
            #expect(try await home.run("stats", "--json").object().object("pictures").integer("count") == 3)
            let page = try await home.run("show", "one", "--format", "html").output
            #expect(page.contains("src=\"data:image/gif;base64,\(Data("GIF89a one".utf8).base64EncodedString())\""))
            #expect(!page.contains("src=\"http"))
            for format in ["html", "markdown"] {
                #expect(try await home.run("export", "--format", format, "--output", home.path(format)).status == 0)
                let names = try FileManager.default.contentsOfDirectory(atPath: home.path(format + "/pictures"))
                let texts = try names.map {
                    try String(contentsOfFile: home.path("\(format)/pictures/\($0)"), encoding: .utf8)
                }
                #expect(texts.sorted() == ["GIF89a common", "GIF89a one", "GIF89a two"])
            }
            #expect(try await home.run("delete", "one", "--yes").status == 0)
            #expect(try await home.sql("SELECT count(*) FROM picture") == "2")
            #expect(try await home.run("sources", "remove", "Blog", "--yes").status == 0)
            #expect(try await home.sql("SELECT count(*) FROM picture") == "0")
        }
    }

    @Test("Without a terminal, only failures are printed, unless the user wants more")
    func silence() async throws {
        let home = try await Home.migrated()
        try await serving { site, address in
            site.set("/feed", feed(1))
            #expect(try await home.run(["subscribe", address + "/feed"] + allow).status == 0)
            site.set("/feed", feed(2))
            let silent = try await home.run(["fetch", "--all"] + allow)
            #expect(silent.status == 0 && silent.output.isEmpty && silent.error.isEmpty)
            #expect(try await home.run(["fetch"] + allow).output.isEmpty)
            site.set("/feed", feed(3))
            let verbose = try await home.run(["fetch", "--all", "--verbose"] + allow)
            #expect(verbose.status == 0 && !verbose.output.isEmpty && verbose.error.contains("Blog"))
            site.set("/feed", "no feed")
            let failed = try await home.run(["fetch", "--all"] + allow)
            #expect(failed.status == 75 && failed.output.isEmpty && failed.error.contains("Blog"))
            #expect(try await home.run("fetch", "--all", "Blog").status == 64)
        }
    }

    @Test(
        "A host to allow is a name or an address alone", arguments: ["http://127.0.0.1", "a b", "127.0.0.1:80", "a/"])
    func allowedHosts(host: String) async throws {
        let home = try await Home.migrated()
        let refused = try await home.run("subscribe", "https://a.example", "--allow-host", host)
        #expect(refused.status == 64)
        #expect(refused.error.contains("'\(host)' is not a valid value for --allow-host"))
        let file = try home.write("hosts", "[fetch]\nallow-host = \"127.0.0.1 \(host)\"\n")
        let checked = try await home.run("config", "check", environment: ["ARTICLESCTL_CONFIG": file])
        #expect(checked.status == (host == "a b" ? 0 : 78))
    }

    @Test("Ctrl-C ends a fetch that waits for a server, and the source is due again")
    func interrupt() async throws {
        let home = try await Home.migrated()
        let silent = try RawServer("", closes: false)
        defer { silent.stop() }
        let address = "http://127.0.0.1:\(silent.port)/feed"
        try home.write(
            "feeds.opml",
            "<opml version='2.0'><head/><body><outline type='rss' text='Slow' xmlUrl='\(address)'/></body></opml>")
        let seeded = try await home.run("seed", "feeds.opml")
        #expect(seeded.status == 0)
        #expect(seeded.output == "subscribed to 1 feed, 0 rejected\n")
        async let outcome = home.shell(
            """
            env --default-signal=INT articlesctl fetch --allow-host 127.0.0.1 & pid=$!
            until [ -e asked ]; do sleep 0.02; done
            kill -INT $pid
            wait $pid
            """)
        while silent.requests.isEmpty { await Task.yield() }
        try home.write("asked", "")
        #expect(try await outcome.status == 130)
        let subscription = try #require(try await home.run("sources", "--json").object().objects("sources").first)
            .object("subscription")
        #expect(subscription.isNull("lastFetch"))
        #expect(try await home.sql("SELECT count(*) FROM subscription WHERE next_fetch_at <= unixepoch()") == "1")
    }

    @Test("A source that cannot be fetched has exit code 75, and the others are fetched")
    func failure() async throws {
        let home = try await Home.migrated()
        try await serving { site, address in
            for name in ["a", "b"] {
                site.set("/" + name, feed(1))
                try await #require(home.run(["subscribe", address + "/" + name, "--name", name] + allow).status == 0)
            }
            site.set("/a", "", status: 404)
            site.set("/b", feed(2))
            try await home.sql("UPDATE subscription SET next_fetch_at = 0")
            let fetched = try await home.run(["fetch", "--json"] + allow)
            #expect(fetched.status == 75)
            #expect(try (fetched.object().integer("new"), fetched.object().integer("failed")) == (1, 1))
            let shown = try await home.run("sources", "show", "a", "--json").object().object("subscription")
            #expect(shown.string("lastError")?.contains("404") == true)
        }
    }

    @Test("Addresses without a feed, with several feeds, in private networks, and that are none, are refused")
    func refused() async throws {
        let home = try await Home.migrated()
        try await serving { site, address in
            let links = ["x", "y"].map { #"<link rel="alternate" type="application/rss+xml" href="/\#($0)">"# }
            site.set("/two", "<html>\(links.joined())</html>", type: "text/html")
            site.set("/none", "<html>Hello</html>", type: "text/html")
            let two = try await home.run(["subscribe", address + "/two", "--json"] + allow)
            #expect(two.status == 64)
            #expect(try two.failure().string("hint")?.contains(address + "/x") == true)
            #expect(try await home.run(["subscribe", address + "/none"] + allow).status == 66)
            #expect(try await home.run("subscribe", address + "/none").status == 77)
            #expect(try await home.run("subscribe", "file:///etc/passwd").status == 64)
            #expect(try await home.run("sources", "--json").object().objects("sources").isEmpty)
        }
    }

    private let page = """
        <html lang=en><head><title>The walk along the coast</title><meta name=author content=Ada></head>
        <body><nav>Menu</nav><article>\(String(repeating: "<p>It rains, and the wind blows, but we walk on.</p>", count: 20))
        </article></body></html>
        """

    @Test("A page is saved once, with its facts and tags, and read by its address")
    func savedPage() async throws {
        let home = try await Home.migrated()
        try await serving { site, address in
            site.set("/walk", page, type: "text/html")
            let added = try await home.run(["add", address + "/walk", "--tag", "travel", "--json"] + allow)
            #expect(added.status == 0, "\(added.error)")
            #expect(try added.object().string("outcome") == "added")
            let article = try added.object().object("article")
            #expect(article.string("title") == "The walk along the coast")
            #expect(article.string("url") == address + "/walk")
            #expect((article.strings("authors"), article.strings("tags")) == (["Ada"], ["travel"]))
            #expect((article.string("source"), article.string("language")) == ("saved pages", "en"))
            #expect(article.string("body")?.contains("Menu") == false)
            let again = try await home.run(["add", address + "/walk"] + allow)
            #expect(again.status == 0)
            #expect(
                again.output
                    == "The library has this page: “The walk along the coast”, number 1, slug the-walk-along-the-coast.\n"
            )
            let other = try await home.run(["add", address + "/walk?2", "--source", "mine"] + allow)
            #expect(other.output.hasPrefix("Added “The walk along the coast”: number 2, slug the-walk-along-the-"))
            #expect(try await home.sql("SELECT name FROM source ORDER BY id") == "saved pages\nmine")
            let details = try await home.sql("SELECT detail FROM audit WHERE event = 'libraryChanged'")
            #expect(details == "add: \(address)/walk\nadd: \(address)/walk?2")
        }
    }

    @Test("A page that cannot be saved has an exit code and a reason, and the other pages are saved")
    func unsavedPages() async throws {
        let home = try await Home.migrated()
        try await serving { site, address in
            site.set("/walk", page, type: "text/html")
            site.set("/a.pdf", "%PDF", type: "application/pdf")
            site.set("/empty", "<html><body></body></html>", type: "text/html")
            site.set("/private", page, status: 403, type: "text/html")
            site.set("/login", "<form><input type=password></form>", type: "text/html")
            site.set("/large", String(repeating: " ", count: 33 << 20), type: "text/html")
            let cases: [(String, Int32, String)] = [
                ("/a.pdf", 65, "is not a page but application/pdf"), ("/empty", 65, "has no main text"),
                ("/large", 65, "is longer than"), ("/private", 77, "needs a login"), ("/login", 77, "needs a login"),
                ("/missing", 66, "status 404"),
            ]
            for (path, status, reason) in cases {
                let outcome = try await home.run(["add", address + path] + allow)
                #expect((outcome.status, outcome.output) == (status, ""), "\(path)")
                #expect(outcome.error.contains(reason), "\(path): \(outcome.error)")
            }
            #expect(try await home.run("add", address + "/walk").status == 77)
            #expect(try await home.run("add", "file:///etc/passwd").status == 64)
            #expect(try await home.run(["add", "http://127.0.0.1:1/"] + allow).status == 75)
            #expect(try await home.run(["add", address + "/walk", "--title", "T"] + allow).status == 64)
            #expect(try await home.sql("SELECT count(*) FROM source") == "0")
            let several = try await home.run(["add", address + "/a.pdf", address + "/walk"] + allow)
            #expect(several.status == 65)
            #expect(several.output.hasPrefix("Added “The walk"))
            #expect(several.error.contains("/a.pdf: ") && several.error.contains("1 of 2 pages could not be saved"))
            let json = try await home.run(["add", address + "/a.pdf", address + "/walk", "--json"] + allow)
            #expect(json.status == 65)
            #expect(try json.lines.map { try JSONObject($0).string("outcome") } == ["failed", "known"])
        }
    }

    @Test("A feed is subscribed with full texts, and subscribing again changes that")
    func fullText() async throws {
        let home = try await Home.migrated()
        try await serving { site, address in
            site.set("/walk", page, type: "text/html")
            site.set(
                "/feed",
                "<rss><channel><title>Blog</title><item><guid>1</guid><title>T</title><link>\(address)/walk</link>"
                    + "<description>Short.</description></item></channel></rss>")
            try await #require(home.run(["subscribe", address + "/feed", "--full-text"] + allow).status == 0)
            #expect(try await home.sql("SELECT body LIKE '%It rains%' FROM article_body") == "1")
            let shown = try await home.run("sources", "show", "Blog", "--json").object().object("subscription")
            #expect(shown.bool("fullText") == true)
            let again = try await home.run(["subscribe", address + "/feed", "--no-full-text"] + allow)
            #expect(again.output == "“Blog” is already subscribed, now with these options.\n")
            #expect(try await home.sql("SELECT has_full_text FROM subscription") == "0")
            let named = try await home.run(
                ["subscribe", address + "/feed", "--name", "Walks", "--tag", "paths"] + allow)
            #expect(named.output == "“Walks” is already subscribed, now with these options.\n")
            #expect(try await home.run("sources", "show", "Walks", "--json").object().strings("tags") == ["paths"])
            let both = try await home.run(["subscribe", address, "--full-text", "--no-full-text"] + allow)
            #expect(both.status == 64)

            // The page of one article.
            site.set("/other", page, type: "text/html")
            try await #require(
                home.shell("echo Short. | articlesctl add --title Other --url \(address)/other").status == 0)
            let fetched = try await home.run(["fetch", "--page", "other", "--json"] + allow)
            #expect(try fetched.object().bool("changed") == true)
            #expect(try await home.sql("SELECT count(*) FROM article_body WHERE body LIKE '%It rains%'") == "2")
            #expect(
                try await home.run(["fetch", "--page", "other", "--json"] + allow).object().bool("changed") == false)
            #expect(try await home.run(["fetch", "--page", "none"] + allow).status == 66)
            #expect(try await home.run(["fetch", "--page", "other", "Blog"] + allow).status == 64)
        }
    }

    @Test("A feed behind a login is subscribed with a password, which only the backup contains")
    func password() async throws {
        let home = try await Home.migrated()
        try await serving { site, address in
            site.set("/feed", feed(2))
            site.login = "Basic YWRhOnNlY3JldCA="
            let refused = try await home.run(["subscribe", address + "/feed", "--json"] + allow)
            #expect(refused.status == 77)
            #expect(try refused.failure().string("hint")?.contains("--password-stdin") == true)
            let arguments = ["subscribe", address + "/feed", "--user", "ada", "--password-stdin"]
            let wrong = try await home.run(arguments + allow, input: Data("wrong\n".utf8))
            #expect(wrong.status == 77)
            let subscribed = try await home.run(arguments + allow, input: Data("secret \n".utf8))
            #expect(subscribed.output == "Subscribed to “Blog”: 2 new articles.\n", "\(subscribed.error)")
            try await home.sql("UPDATE subscription SET next_fetch_at = 0")
            #expect(try await home.run(["fetch", "--json"] + allow).object().integer("failed") == 0)

            try await #require(home.register("ada").status == 0)
            try await #require(home.logIn("ada").status == 0)
            for arguments in [
                ["sources", "show", "Blog"], ["sources", "show", "Blog", "--json"], ["sources", "--json"],
                ["export", "--format", "opml"], ["export", "--format", "jsonl"], ["audit", "--json"],
            ] {
                let outcome = try await home.run(arguments)
                #expect(outcome.status == 0 && !outcome.output.contains("secret"), "\(arguments)")
            }
            #expect(try await home.run("sources", "show", "Blog").output.contains("password\tyes\n"))
            let backup = try await home.run("backup", "copy")
            #expect(backup.output.hasSuffix("It contains 1 password of a feed: keep it secret.\n"))
            #expect(try await home.shell("stat -c %a copy").output == "600\n")

            let changed = try await home.run(arguments + allow, input: Data("other\n".utf8))
            #expect(changed.output == "“Blog” is already subscribed, now with this password.\n")
            #expect(try await home.sql("SELECT password FROM subscription_password") == "other")
            let removed = try await home.run(["subscribe", address + "/feed", "--no-password"] + allow)
            #expect(removed.output == "“Blog” is already subscribed, now without a password.\n")
            #expect(try await home.sql("SELECT count(*) FROM subscription_password") == "0")
        }
    }

    @Test("A password that would not be safe, and options that contradict each other, are refused")
    func unsafePassword() async throws {
        let home = try await Home.migrated()
        let cases: [([String], Int32)] = [
            (["http://example.org/feed", "--user", "ada", "--password-stdin"], 77),
            (["https://ada:secret@example.org/feed"], 64), (["https://example.org/feed", "--password-stdin"], 64),
            (["https://example.org/feed", "--user", "a:b", "--password-stdin"], 64),
            (["https://a.example/", "https://b.example/", "--user", "ada", "--password-stdin"], 64),
            (["https://example.org/feed", "--user", "ada", "--no-password"], 64),
            (["https://example.org/feed", "--user", "ada", "--no-input"], 64),
        ]
        for (arguments, status) in cases {
            let outcome = try await home.run(["subscribe"] + arguments, input: Data("secret\n".utf8))
            #expect(outcome.status == status && !outcome.error.contains("secret"), "\(arguments): \(outcome.error)")
        }
        #expect(try await home.sql("SELECT count(*) FROM source") == "0")
    }

    @Test("Newsboat's urls become subscriptions, and marks of other readers become the user's")
    func otherReaders() async throws {
        let home = try await Home.migrated()
        try home.write("urls", "# Mine\nhttps://a.example/feed news \"~A\"\n\"query:All:unread = \\\"yes\\\"\"\n")
        let seeded = try await home.run("seed", "urls")
        #expect(seeded.status == 65 && seeded.error.contains("urls:3: "), "\(seeded.error)")
        #expect(try await home.sql("SELECT address FROM subscription") == "https://a.example/feed")
        #expect(try await home.sql("SELECT s.name || t.name FROM source AS s JOIN source_tag AS t") == "Anews")

        try home.write(
            "entries.json",
            #"{"total":1,"entries":[{"id":1,"feed_id":1,"status":"read","title":"T","url":"https://a.example/1","#
                + #""published_at":"2024-01-01T00:00:00Z","content":"x","starred":true,"#
                + #""feed":{"id":1,"feed_url":"https://a.example/feed","title":"Other"}}]}"#)
        try await #require(home.register("ada").status == 0)
        try await #require(home.logIn("ada").status == 0)
        let marked = try await home.run("seed", "--marks", "--json", "entries.json")
        #expect(try (marked.object().integer("inserted"), marked.object().integer("marked")) == (1, 1))
        let list = try await home.run("list", "--starred", "--read", "--json").object().objects("articles")
        #expect(list.map { $0.string("source") } == ["A"])
    }

    @Test("A source is paused and resumed, keeps its newest articles, and is quiet for the signed-in user")
    func settings() async throws {
        let home = try await Home.migrated()
        try await serving { site, address in
            site.set("/feed", feed(5))
            try await #require(home.run(["subscribe", address + "/feed", "--keep", "4"] + allow).status == 0)
            #expect(try await home.sql("SELECT count(*) FROM article") == "5")
            let paused = try await home.run(
                "sources", "set", "--pause", "--keep", "3", "--keep-unread-on-update", "blog")
            #expect(paused.status == 0 && paused.output.contains("Blog"))
            let list = try await home.run("sources").lines.map {
                $0.split(separator: "\t", omittingEmptySubsequences: false)
            }
            #expect(list.map { $0[7] } == ["paused"])
            let subscription = try await home.run("sources", "show", "Blog", "--json").object().object("subscription")
            #expect(subscription.bool("paused") == true && subscription.isNull("nextFetch"))
            #expect(subscription.string("keep") == "3" && subscription.bool("unreadOnUpdate") == true)
            try await home.sql("UPDATE subscription SET next_fetch_at = 0")
            _ = try await home.run(["fetch"] + allow)
            #expect(site.requests.count == 1)
            let resumed = try await home.run(
                "sources", "set", "Blog", "--resume", "--no-keep-unread-on-update", "--json")
            let source = try #require(try resumed.object().objects("sources").first)
            #expect(try source.object("subscription").bool("paused") == false)

            for (arguments, status) in [
                (["Blog"], 64), (["Blog", "--pause", "--resume"], 64), (["Blog", "--keep", "few"], 64),
                (["Other", "--pause"], 66), (["Blog", "--quiet"], 77),
            ] {
                #expect(try await home.run(["sources", "set"] + arguments).status == status, "\(arguments)")
            }
            try await home.register("ada")
            try await home.logIn("ada")
            #expect(try await home.run("sources", "show", "Blog", "--json").object().integer("unread") == 5)
            try await #require(home.run("mark", "read", "--source", "Blog", "--yes").status == 0)
            let fetched = try await home.run(["fetch", "--json"] + allow).object()
            #expect(fetched.integer("removed") == 2 && fetched.integer("new") == 0)
            #expect(try await home.sql("SELECT count(*) FROM article") == "3")

            #expect(try await home.run("sources", "set", "--quiet", "Blog").status == 0)
            let quiet = try await home.run("account", "export").object().objects("quietSources")
            #expect(quiet.map { $0.string("name") } == ["Blog"])
            #expect(try await home.run("sources", "show", "Blog").output.contains("quiet"))
            site.set("/feed", feed(7))
            let summary = try await home.run(["fetch", "Blog", "--verbose"] + allow)
            #expect(summary.status == 0 && summary.output.contains("2 new, 0 changed, 0 failed, 2 removed."))
            #expect(try await home.run("list", "--unread").output.isEmpty)
            #expect(try await home.run("sources", "set", "--no-quiet", "Blog").status == 0)
            #expect(try await home.sql("SELECT count(*) FROM quiet_source") == "0")
            for option in ["--no-quiet", "--resume", "--keep=3"] {
                #expect(try await home.run("sources", "set", option, "Blog").output.hasPrefix("Nothing changed"))
            }
        }
    }

    @Test("An OPML file becomes subscriptions with its folders as tags, and exports keep both")
    func opml() async throws {
        let home = try await Home.migrated()
        try await serving { site, address in
            site.set(
                "/feed",
                feed(2).replacing(
                    "<channel>",
                    with:
                        #"<channel><atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://elsewhere.example/feed"/>"#
                ))
            let list = """
                <opml version="2.0"><body><outline text="News"><outline text="One" type="rss" xmlUrl="\(address)/feed"/>\
                </outline></body></opml>
                """
            try home.write("feeds.opml", list)
            let dry = try await home.run("seed", "feeds.opml", "--dry-run", "--json").object()
            #expect(dry.integer("subscribed") == 1)
            #expect(try await home.sql("SELECT count(*) FROM subscription") == "0")
            #expect(try await home.run("seed", "feeds.opml", "--json").object().integer("subscribed") == 1)
            #expect(try await home.run("seed", "feeds.opml", "--json").object().integer("subscribed") == 0)
            #expect(try await home.sql("SELECT address FROM subscription") == address + "/feed")
            let fetched = try await home.run(["fetch", "--json"] + allow)
            #expect(try fetched.object().integer("new") == 2, "\(fetched.error)")

            try await #require(home.register("ada").status == 0)
            try await #require(home.logIn("ada").status == 0)
            let exported = try await home.run("export", "--format", "opml").output
            #expect(exported.contains("<outline text=\"News\""))
            // The address of the fetches, not the one that the feed states.
            #expect(exported.contains("xmlUrl=\"\(address)/feed\""))
            let other = try await Home.migrated()
            try other.write("feeds.opml", exported)
            #expect(try await other.run("seed", "feeds.opml").status == 0)
            #expect(try await other.sql("SELECT address FROM subscription") == address + "/feed")
            #expect(try await other.sql("SELECT name FROM source_tag") == "News")
        }
    }
}
