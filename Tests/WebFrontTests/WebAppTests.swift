import ArticleStore
import FetchingSupport
import Foundation
import HTTPServer
import LibraryServices
import Testing
import WebFront

@Suite("The pages as an app")
struct WebAppTests {
    private func ask(
        _ path: String, of site: Site, prefix: String = ""
    ) async throws -> (response: HTTPResponse, bytes: [UInt8]) {
        var request = HTTPRequest(.get, try #require(HTTPTarget(path)), fields: [.host: "library.test"])
        request.prefix = prefix
        let response = await site.front.answer(request)
        guard case .bytes(let bytes) = response.body else { return (response, []) }
        return (response, bytes)
    }

    private struct Manifest: Decodable {
        struct Icon: Decodable {
            let src: String
            let sizes: String
            let type: String
            let purpose: String
        }

        struct Target: Decodable {
            let action: String
            let method: String
            let params: [String: String]
        }

        let name: String
        let start_url: String
        let scope: String
        let display: String
        let icons: [Icon]
        let share_target: Target
    }

    @Test("The manifest names the library, its icons, and the form for shared pages, also below the path of a proxy")
    func manifest() async throws {
        let site = try await Site(WebFrontSettings(name: "Ada's \"library\""))
        let page = String(decoding: try await ask("/articles", of: site, prefix: "/rss").bytes, as: UTF8.self)
        let link = try #require(page.firstMatch(of: #/<link rel="manifest" href="([^"]*)">/#)?.1)
        #expect(link == "/rss/manifest.webmanifest")
        let (response, bytes) = try await ask(String(link.dropFirst("/rss".count)), of: site, prefix: "/rss")
        #expect(response.fields[.contentType]?.text == "application/manifest+json")
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(bytes))
        #expect(manifest.name == "Ada's \"library\"" && manifest.display == "standalone")
        // Addresses are relative to that of the manifest.
        #expect(manifest.scope == "./" && manifest.start_url == "./")
        #expect(manifest.share_target.action == "add" && manifest.share_target.method == "GET")
        #expect(Set(manifest.share_target.params.values) == ["url", "text", "title"])
        #expect(manifest.icons.map(\.sizes) == ["any", "192x192", "512x512", "512x512"])
        #expect(manifest.icons.last?.purpose == "maskable")
        for icon in manifest.icons {
            let (response, bytes) = try await ask("/" + icon.src, of: site)
            #expect(response.status == .ok && response.fields[.contentType]?.text == icon.type)
            guard icon.type == "image/png" else { continue }
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count < 4_000)
            let width = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
            #expect(icon.sizes == "\(width)x\(width)")
        }
    }

    @Test("The worker knows the files of pages, and lies where it may see all pages", arguments: ["", "/rss"])
    func worker(prefix: String) async throws {
        let site = try await Site()
        let page = String(decoding: try await ask("/articles", of: site, prefix: prefix).bytes, as: UTF8.self)
        let (response, bytes) = try await ask("/worker.js", of: site, prefix: prefix)
        let worker = String(decoding: bytes, as: UTF8.self)
        #expect(response.fields[.cacheControl]?.text == "no-cache")
        #expect(response.fields["content-security-policy"]?.text == "default-src 'none'; connect-src 'self'")
        let assets = page.matches(of: #/(?:src|href)="([^"]*assets[^"]*\.(?:js|css|svg))"/#).map { String($0.1) }
        #expect(assets.count == 4)
        for asset in assets { #expect(worker.prefix(400).contains("\"\(asset)\"")) }
    }

    @Test("Each page says to whom it belongs, so that copies for one user are not kept for another")
    func accounts() async throws {
        let site = try await Site.furnished()
        try await site.register("eve")
        func account(of browser: Browser) -> String? {
            let field = browser.response.fields["x-account"]?.text
            #expect(browser.body.contains("<meta name=\"account\" content=\"\(field ?? "-")\">"))
            return field
        }
        let (ada, other, eve) = (Browser(site), Browser(site), Browser(site))
        try await ada.open("/articles")
        #expect(account(of: ada) == "none")
        try await ada.logIn("ada", at: "/articles/article-1")
        let name = try #require(account(of: ada))
        try await other.logIn("ada")
        try await eve.logIn("eve")
        #expect(account(of: other) == name && account(of: eve) != name && name != "none")
        #expect(!name.contains("ada"))
        try await ada.logOut()
        #expect(account(of: ada) == "none")
        await #expect(throws: Never.self) { try await site.endSession(of: eve) }
        try await eve.open("/articles/article-1")
        #expect(account(of: eve) == "none", "the session has ended elsewhere")
    }

    @Test("The page for a browser without a network does not depend on the user")
    func offline() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn()
        let own = try await ask("/offline", of: site)
        try await browser.open("/offline")
        #expect(
            browser.body == String(decoding: own.bytes, as: UTF8.self)
                && browser.response.fields.values(of: .setCookie).isEmpty)
        #expect(browser.response.fields["x-account"] == nil && browser.body.contains("<!--copies-->"))
    }

    @Test("Pages may load the manifest and the worker of this server only")
    func policy() async throws {
        let policy = try await ask("/articles", of: try await Site()).response.fields["content-security-policy"]?.text
        #expect(policy?.contains("worker-src 'self'; manifest-src 'self';") == true)
    }

    @Test("A page that another app shares is saved only after the user confirms it, and editors only may do so")
    func sharing() async throws {
        let site = try await Site.furnished()
        let text = String(repeating: "<p>A walk along the coast, in the rain, takes longer than a day.</p>", count: 10)
        site.web.serve(
            "https://blog.example/walk", ["Content-Type": "text/html"],
            body: "<html><head><title>A walk</title></head><body><article>\(text)</article></body></html>")
        let browser = Browser(site)
        let shared = "/add?title=A%20walk&text=See%20https%3A%2F%2Fblog.example%2Fwalk&url="
        try await browser.logIn(at: shared)
        #expect(browser.screen == "/add" && browser.body.contains("value=\"https://blog.example/walk\""))
        #expect(site.web.requests.isEmpty)
        try await browser.submit(["address": "https://blog.example/walk", "tags": "travel"])
        #expect(browser.body.contains("Added “A walk”.") && browser.body.contains("in the rain"))
        #expect(try await site.services.articles.summaries(of: ["a-walk"]).values.map(\.tags) == [["travel"]])
        try await browser.open(shared)
        try await browser.submit(["address": "https://blog.example/walk", "tags": ""])
        #expect(browser.body.contains("The library has this page: “A walk”."))
        try await browser.open("/add")
        for address in ["", "https://blog.example/none", "ftp://blog.example/walk"] {
            try await browser.submit(["address": address, "tags": ""])
            #expect(browser.screen == "/add" && browser.isRefused)
        }
        try await site.register("eve")
        let reader = Browser(site)
        try await reader.logIn("eve", at: shared)
        #expect(reader.screen == "/articles")
        try await reader.open(shared)
        #expect(reader.status == 403 && reader.screen == "/articles")
    }

    @Test("The first page of a large library is small, and leads to the sources and their settings")
    func largeLibrary() async throws {
        let site = try await Site.furnished()
        for index in 0..<400 {
            _ = try await site.services.articles.write(needing: WriteNeeds()) { writer in
                try writer.insert(
                    SourceFacts(name: "A source with a usual name \(index)", kind: .feed, location: nil), uid: nil)
            }
        }
        let browser = Browser(site)
        try await browser.logIn(at: "/library")
        #expect(browser.body.utf8.count < 30_000)
        #expect(browser.body.contains(#/<h2><bdi>Sources<\/bdi><\/h2><ul class="places">/#))
        try await browser.open("/articles/article-1")
        try await browser.choose("star")
        try await browser.open("/library")
        #expect(browser.body.contains(">1 article<"))
        try await browser.follow("All 401 sources")
        let list = browser.body.split(separator: "class=\"places\"").dropFirst().joined()
        #expect(list.matches(of: #/<li>/#).count == 101 && list.utf8.count < 24_000)
        try await browser.follow("The next 100 of 301 more")
        #expect(browser.address == "/library/sources?page=2")
        try await browser.follow("Settings")
        #expect(browser.screen == "/sources/<id>")
    }

    @Test("The list of sources has pages")
    func sourcePages() async throws {
        let site = try await Site.furnished()
        _ = try await site.services.articles.write(needing: WriteNeeds()) { writer in
            for index in 100..<350 {
                _ = try writer.insert(SourceFacts(name: "Source \(index)", kind: .feed, location: nil), uid: nil)
            }
        }
        let browser = Browser(site)
        try await browser.logIn(at: "/sources")
        var names: [String] = []
        for label in ["The next 100 of 151 more", "The next 51 of 51 more", nil] {
            let page = browser.body.matches(of: #/<a href="\/sources\/\d+">([^<]*)</#).map { String($0.1) }
            #expect(page.count == (label == nil ? 51 : 100) && browser.body.utf8.count < 60_000)
            names += page
            if let label { try await browser.follow(label) }
        }
        #expect(browser.address == "/sources?page=3" && browser.body.contains("<title>Sources, page 3 · "))
        #expect(names == names.sorted { $0.lowercased() < $1.lowercased() } && Set(names).count == 251)
    }
}
