import AuthService
import HTTPServer
import StoreEngines
import Synchronization
import TestSupport
import Testing

@Suite("Pages about errors in a browser")
struct ErrorPageTests {
    private static func sections(of browser: Browser) -> [String] {
        browser.body.firstMatch(of: #/<ul class="sections">.*?<\/ul>/#.dotMatchesNewlines()).map { list in
            list.0.matches(of: #/<span dir="auto">([^<]*)<\/span>/#).map { String($0.1) }
        } ?? []
    }

    @Test("A page about an error shows the sections of the signed-in user, none of which is selected")
    func sections() async throws {
        var work = ExpensiveWork.Limits()
        work.requestsPerUser = 0
        let browser = Browser(try await Site.furnished(work: work))
        try await browser.logIn()
        let all = Self.sections(of: browser)
        #expect(all.count == 4)
        let errors: [(status: Int, ask: () async throws -> Void)] = [
            (404, { try await browser.open("/nowhere") }), (404, { try await browser.post("/nowhere", [:]) }),
            (400, { try await browser.post("/articles", ["x": "y"]) }),
            (429, { try await browser.open("/articles?search=body") }),
            (404, { try await browser.open("/articles/article-1/link?to=https%3A%2F%2Felsewhere.test%2F") }),
        ]
        for error in errors {
            try await error.ask()
            #expect(browser.status == error.status, "\(browser.address)")
            #expect(Self.sections(of: browser) == all, "\(browser.address)")
            #expect(!browser.body.contains("aria-current"), "\(browser.address)")
        }
    }

    @Test("The sentences of pages about errors and of refused forms begin with a capital letter and end with a period")
    func sentences() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        let refused: [() async throws -> Void] = [
            { try await browser.open("/nowhere") }, { try await browser.open("/articles/nope") },
            { try await browser.open("/sources/99") }, { try await browser.open("/users/99") },
            { try await browser.open("/articles?source=nope") }, { try await browser.post("/nowhere", [:]) },
            { try await browser.post("/articles", ["x": "y"]) },
            {
                try await browser.open("/write"); try await browser.submit(["title": "", "text": ""])
            },
            {
                try await browser.open("/account/password"); try await browser.submit(["password": "wrong"])
            },
        ]
        for (index, ask) in refused.enumerated() {
            try await ask()
            let words = browser.body.matches(
                of: #/(?:class="placeholder">.*?<p|class="notice error"[^>]*|class="wrong")>(.*?)<\/(?:p|strong)>/#
                    .dotMatchesNewlines()
            ).map { String($0.1) }
            #expect(!words.isEmpty, "\(index)")
            #expect(words.allSatisfy { $0.contains(#/^[\p{Lu}“].*[.!?…]$/#) }, "\(words)")
        }
    }

    @Test("Without a login, a page about an error has no sections, and the library is not asked")
    func stranger() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        let calls = try await site.counter.calls { try await browser.open("/nowhere") }
        #expect(browser.status == 404 && Self.sections(of: browser).isEmpty && calls.isEmpty)
    }

    @Test("While the library is unavailable, a page about an error keeps its status, and the worker keeps its copies")
    func unavailable() async throws {
        let isDown = Mutex(false)
        let site = try await Site.furnished(before: { _, _ in
            if isDown.withLock({ $0 }) { throw StoreFailure() }
        })
        let browser = Browser(site)
        try await browser.logIn()
        isDown.withLock { $0 = true }
        for (path, status) in [("/nowhere", 404), ("/articles", 503)] {
            try await browser.open(path)
            #expect(browser.status == status && Self.sections(of: browser).isEmpty)
            #expect(browser.response.fields["x-account"] == nil)
            #expect(browser.body.contains("<meta name=\"account\" content=\"unknown\">"))
        }
        isDown.withLock { $0 = false }
        try await browser.open("/nowhere")
        #expect(Self.sections(of: browser).count == 4 && browser.response.fields["x-account"] != nil)
    }

    private struct StoreFailure: Error {}
}
