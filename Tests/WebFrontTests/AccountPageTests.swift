import AuthService
import Foundation
import HTTPServer
import LibraryServices
import StoreEngines
import TestSupport
import Testing

@Suite("The account in a browser")
struct AccountPageTests {
    /// Returns the labels below each heading of the page.
    private func sections(of browser: Browser) throws -> [String] {
        let main = try #require(browser.body.firstMatch(of: #/<main.*?</main>/#.dotMatchesNewlines())).0
        return main.matches(of: #/<h2>([^<]*)<\/h2>|<(?:a class="button"|button)[^>]*>([^<]*)</#).map { match in
            match.1.map { "# \($0)" } ?? String(match.2 ?? "")
        }
    }

    @Test("The actions of the account are below headings, and only operators have those of administration")
    func headings() async throws {
        let site = try await Site.furnished()
        try await site.register("eve")
        let own = [
            "# Reading", "Appearance", "# Security", "Change password", "Second factor", "Sessions",
            "Log out everywhere", "# Other programs", "API tokens", "Feed address", "# Profile", "Change name",
            "Change region", "Delete account",
        ]
        for (name, others) in [("ada", ["# Administration", "Users", "Audit log"]), ("eve", [])] {
            let browser = Browser(site)
            try await browser.logIn(name, at: "/account")
            #expect(try sections(of: browser) == own + others)
        }
    }

    @Test("Every time of a page is in words, and has its exact time for programs and as a tooltip")
    func times() async throws {
        let site = try await Site.furnished()
        try await site.register("eve")
        let browser = Browser(site)
        try await browser.logIn(at: "/account/tokens/new")
        try await browser.submit(["name": "backup", "days": "30"])
        try await browser.open("/account/feed")
        try await browser.press("Create an address")
        _ = try await site.services.auth.setDisabled(true, Username("eve"), by: .system(user: "test"))
        site.clock.advance(by: 600)
        for (path, words) in [
            ("/account", "begun <time"), ("/account/sessions", ">10 min ago</time>"), ("/account/tokens", "</time>"),
            ("/account/feed", "created <time"), ("/users", ">disabled <time"), ("/users/2", "set <time"),
            ("/audit", ">10 min ago</time>"),
        ] {
            try await browser.open(path)
            #expect(browser.status == 200 && browser.body.contains(words), "\(path)")
            let text = browser.body.replacing(#/<[^>]*>/#, with: " ")
            #expect(!text.contains(#/\d{4}-\d\d-\d\d|\d\d:\d\d/#), "\(path)")
            let times = browser.body.matches(of: #/<time[^>]*>/#).map { String($0.0) }
            #expect(
                times.allSatisfy {
                    $0.contains(#/^<time datetime="[0-9T:.-]+Z" title="\d{4}-\d\d-\d\d( \d\d:\d\dZ)?">$/#)
                },
                "\(path)")
        }
    }
}
