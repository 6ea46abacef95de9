import LibraryServices
import ArticleStore
import AuthService
import FlowCoordinators
import Foundation
import HTTPServer
import StoreEngines
import TestSupport
import Testing

@Suite("A form of a page")
struct FormTests {
    @Test("The first field has the focus; if the name is filled in already, the password has it")
    func focus() async throws {
        let browser = Browser(try await Site.furnished())
        for (path, focused) in [("/login", "username"), ("/login?username=ada", "password")] {
            try await browser.open(path)
            let fields = browser.body.matches(of: #/<input [^>]*id="field-([a-z]+)"[^>]* autofocus/#)
            #expect(fields.map { String($0.1) } == [focused], "\(path)")
        }
    }

    @Test("A form with an error is shown again with its input, except secrets")
    func wrong() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open("/login")
        try await browser.submit(["username": "ada", "password": "not the password"])
        #expect(browser.isRefused)
        #expect(browser.body.contains("value=\"ada\"") && !browser.body.contains("not the password"))
        #expect(browser.cookies["session"] == nil)
    }

    @Test("A form with an error is the response itself for a program that accepts any type", arguments: ["*/*", nil])
    func program(accept: String?) async throws {
        let browser = Browser(try await Site.furnished())
        browser.accept = accept
        browser.followsRedirects = false
        try await browser.open("/login")
        try await browser.submit(["username": "ada", "password": "not the password"])
        #expect(browser.status == 403 && browser.isRefused && browser.body.contains("value=\"ada\""))
        try await browser.submit(["username": "ada", "password": Site.password])
        #expect(browser.status == 303 && browser.cookies["session"] != nil)
        try await browser.open("/account/name")
        try await browser.submit(["username": "a"])
        #expect(browser.status == 422 && browser.isRefused)
        // A notice waits for the next page.
        try await browser.post("/account/name", browser.hidden.merging(["do": "!Elsewhere"]) { $1 })
        try await browser.open("/account/name")
        #expect(browser.hasSucceeded)
    }

    @Test("A form with an error is a page of its own, so reloading it sends nothing")
    func redirected() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/account/name")
        try await browser.submit(["username": "a"])
        #expect(browser.status == 200 && browser.isRefused)
        #expect(browser.body.contains("value=\"a\"") && browser.body.contains("aria-invalid=\"true\""))
        try await browser.reload()
        #expect(!browser.isRefused && browser.body.contains("value=\"ada\""))
    }

    @Test("The input of a form is only at its own address, and complete however long it is")
    func typed() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/articles/article-1/tags")
        let long = String(repeating: "x", count: 101)
        browser.followsRedirects = false
        try await browser.submit(["tags": long])
        #expect(browser.status == 303 && browser.cookies["filled"]?.contains(long) == false)
        try await browser.open("/articles/article-2/tags")
        #expect(!browser.body.contains("value=\"\(long)\""))
        try await browser.open("/articles/article-1/tags")
        #expect(browser.body.contains("value=\"\(long)\""))
        let longer = String(repeating: "x", count: 5_000)
        try await browser.submit(["tags": longer])
        #expect(browser.isRefused && browser.body.contains("value=\"\(longer)\""))
    }

    @Test("A form that is sent too often says when to send it again")
    func throttled() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open("/login")
        for _ in 0..<6 {
            try await browser.submit(["username": "ada", "password": "not the password"])
        }
        #expect(browser.status == 429 && browser.response.fields[.retryAfter] != nil)
    }

    @Test("A form is accepted only from the browser that it was made for")
    func token() async throws {
        let site = try await Site.furnished()
        let (browser, other) = (Browser(site), Browser(site))
        try await browser.open("/login")
        try await other.open("/login")
        var values = browser.hidden
        values.merge(["username": "ada", "password": Site.password, "do": "send"]) { $1 }
        for token in [other.hidden["form"] ?? "", "", "x"] {
            values["form"] = token
            try await browser.post("/login", values)
            #expect(browser.cookies["session"] == nil)
            #expect(browser.body.contains("value=\"ada\"") && !browser.body.contains(Site.password))
        }
    }

    @Test(
        "A form from another site is refused",
        arguments: [("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"), ("origin", "http://evil.test")])
    func crossSite(name: String, value: String) async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open("/login")
        browser.fields = try [#require(HTTPFieldName(name)): HTTPFieldValue(value)]
        try await browser.submit(["username": "ada", "password": Site.password])
        #expect(browser.status == 403 && browser.cookies["session"] == nil)
    }

    @Test("If the session has ended in the meantime, a form waits behind the login with its input")
    func expired() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/account/name")
        let token = try #require(browser.cookies["session"].flatMap { SessionToken($0) })
        try await site.services.auth.logOut(token: token)
        try await browser.submit(["username": "grace"])
        #expect(browser.screen == "/login")
        try await browser.submit(["username": "ada", "password": Site.password])
        #expect(browser.body.contains("value=\"grace\""))
        try await browser.submit(["username": "grace"])
        #expect(browser.address == "/account")
        #expect(browser.body.contains("<h1 dir=\"auto\">grace</h1>"))
    }

    @Test("If the session ends while a form is handled, the login comes next", arguments: [nil, "*/*"])
    func endsMeanwhile(accepted: String?) async throws {
        let site = try await Site.furnished { call, store in
            guard call == .changePassword else { return }
            // Another browser of the user is faster.
            let auth = AuthService(
                store: store, hasher: PasswordHasher(parameters: .weakest), clock: { TestClock().now })
            let opened = try await auth.logIn(
                username: "ada", password: Password(Site.password), client: "other", from: .unknown)
            _ = try await auth.changePassword(
                token: opened.newSession.token, old: Password(Site.password), new: Password("staple of another battery")
            )
        }
        let browser = Browser(site)
        try await browser.logIn(at: "/account/password")
        browser.accept = accepted ?? browser.accept
        let new = "a horse of another color"
        try await browser.submit(["password": Site.password, "newPassword": new, "confirmation": new])
        #expect(browser.screen == "/login")
        try await browser.submit(["username": "ada", "password": "staple of another battery"])
        #expect(browser.screen == "/account/password")
    }

    @Test("A form of another site, or of more fields than any has, is not read")
    func notRead() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open("/login")
        var values = browser.hidden
        values.merge(["username": "ada", "password": Site.password, "do": "send"]) { $1 }
        for number in 0..<1_000 { values["field-\(number)"] = "" }
        try await browser.post("/login", values)
        #expect(browser.status == 400 && browser.cookies["session"] == nil)
        browser.fields = ["sec-fetch-site": "cross-site"]
        try await browser.post("/login", ["username": "ada"])
        #expect(browser.status == 403)
    }

    @Test("An unknown form is refused")
    func foreign() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open("/login")
        try await browser.post("/login", ["username": "ada"])
        #expect(browser.status == 400)
    }
}

@Suite("Visits of several pages")
struct StepTests {
    @Test("A sign-up can begin with the region, and logs its user in")
    func signUp() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open("/signup/region")
        try await browser.submit(["region": "SE"])
        #expect(browser.address.hasPrefix("/signup/username?going="))
        try await browser.submit(["username": "ada"])
        #expect(browser.isRefused && browser.body.contains("value=\"ada\""))
        try await browser.submit(["username": "grace"])
        try await browser.submit(["password": Site.password, "confirmation": Site.password])
        #expect(browser.address == "/articles?unread=yes")
        #expect(browser.hasSucceeded && browser.cookies["session"] != nil)
    }

    @Test("A sign-up can begin with the name and the password", arguments: ["/signup", "/register"])
    func shortSignUp(place: String) async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open(place)
        let secrets = ["password": Site.password, "confirmation": Site.password]
        try await browser.submit(["username": "admin"].merging(secrets) { $1 })
        #expect(browser.isRefused && browser.screen == "/signup")
        try await browser.submit(["username": "grace"].merging(secrets) { $1 })
        #expect(browser.address.hasPrefix("/signup/region?going="))
        #expect(!browser.body.contains(Site.password))
        try await browser.submit(["region": "SE"])
        #expect(browser.address == "/articles?unread=yes")
        #expect(browser.hasSucceeded && browser.cookies["session"] != nil)
    }

    @Test(
        "A sign-up returns to the page that the user came from, and says so", arguments: ["/", "/articles/article-1"])
    func signUpOnTheWay(place: String) async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open(place)
        try await browser.choose("register")
        try await browser.submit(["username": "grace", "password": Site.password, "confirmation": Site.password])
        try await browser.submit(["region": "SE"])
        #expect(browser.address == (place == "/" ? "/articles?unread=yes" : place))
        #expect(browser.hasSucceeded && browser.cookies["session"] != nil)
    }

    @Test("A user can go back by the addresses of a visit, and loses nothing")
    func backByAddress() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open("/signup/region")
        try await browser.submit(["region": "SE"])
        let going = try #require(browser.address.split(separator: "=").last)
        try await browser.submit(["username": "grace"])
        try await browser.open("/signup/username?going=\(going)")
        #expect(browser.body.contains("value=\"grace\""))
        try await browser.open("/signup/region?going=\(going)")
        #expect(browser.body.contains("value=\"SE\" selected"))
    }

    @Test("A visit lasts as long as it is used, and 15 minutes after that", arguments: [(840.0, true), (900.0, false)])
    func lifetime(pause: Double, isKept: Bool) async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.open("/signup/region")
        try await browser.submit(["region": "SE"])
        for _ in 0..<3 {
            site.clock.advance(by: pause)
            try await browser.reload()
        }
        #expect(browser.address.hasPrefix("/signup/username?going=") == isKept)
        #expect((browser.address == "/signup/region") != isKept)
    }

    @Test("A visit is removed once it has ended")
    func gone() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/account/tokens")
        try await browser.follow("New token")
        try await browser.submit(["name": "backup", "scope": "read", "days": "30"])
        let made = browser.address
        let secret = try #require(browser.body.firstMatch(of: #/actl_[A-Za-z0-9_.-]+/#)).0
        try await browser.back()
        try await browser.open(made)
        #expect(!browser.body.contains(secret))
    }

    @Test("A visit belongs to one browser")
    func foreign() async throws {
        let site = try await Site.furnished()
        let (browser, other) = (Browser(site), Browser(site))
        try await browser.open("/signup/region")
        try await browser.submit(["region": "SE"])
        try await other.open("/articles")
        try await other.open(browser.address)
        #expect(other.address == "/signup/region")
    }

    @Test("A visit ends with the session in which it began, wherever that was ended")
    func endedElsewhere() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/account/tokens")
        try await browser.follow("New token")
        try await browser.submit(["name": "backup", "scope": "read", "days": "30"])
        let (made, session) = (browser.address, try #require(browser.cookies["session"]))
        let secret = try #require(browser.body.firstMatch(of: #/actl_[A-Za-z0-9_.-]+/#)).0
        try await browser.reload()
        #expect(browser.body.contains(secret))
        try await site.services.auth.logOut(token: try #require(SessionToken(session)))
        try await browser.open(made)
        #expect(browser.screen == "/login" && !browser.body.contains(secret))
        try await browser.submit(["username": "ada", "password": Site.password])
        try await browser.open(made)
        #expect(!browser.body.contains(secret))
    }

    @Test("Visits of signed-in users are kept, however many strangers begin")
    func crowd() async throws {
        let site = try await Site.furnished()
        let (browser, stranger) = (Browser(site), Browser(site))
        try await browser.logIn(at: "/account/second-factor")
        try await browser.follow("Set up")
        let secret = try #require(browser.body.firstMatch(of: #/<code>([A-Z2-7 ]+)<\/code>/#)?.1)
        site.clock.advance(by: 1)
        try await stranger.begin(1_001)
        try await browser.reload()
        #expect(browser.body.contains(secret))
    }

    @Test("Visits of strangers and of others are kept, however many one user begins")
    func greed() async throws {
        let site = try await Site.furnished()
        try await site.register("grace")
        let (greedy, stranger, other) = (Browser(site), Browser(site), Browser(site))
        try await other.logIn("grace", at: "/account/second-factor")
        try await other.follow("Set up")
        let secret = try #require(other.body.firstMatch(of: #/<code>([A-Z2-7 ]+)<\/code>/#)?.1)
        try await stranger.open("/signup/region")
        try await stranger.submit(["region": "SE"])
        try await greedy.logIn()
        for _ in 0..<1_001 { try await greedy.open("/account/tokens/made") }
        try await other.reload()
        #expect(other.body.contains(secret))
        try await stranger.submit(["username": "bob"])
        #expect(stranger.address.hasPrefix("/signup/password?going="))
    }

    @Test("A visit of a stranger is kept, however many others begin from elsewhere")
    func strangers() async throws {
        let site = try await Site.furnished()
        let (browser, other) = (Browser(site), Browser(site))
        browser.peer = .internet(host: "192.0.2.1", port: 1)
        try await browser.open("/signup/region")
        try await browser.submit(["region": "SE"])
        site.clock.advance(by: 1)
        try await other.begin(1_001) { number in
            // A customer of a provider has this many addresses.
            other.peer = .internet(host: "2001:db8::\(String(number + 1, radix: 16))", port: 1)
        }
        try await browser.reload()
        #expect(browser.address.hasPrefix("/signup/username?going="))
    }

    @Test("A visit does not store input before the password is given")
    func parked() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.open("/account/name")
        var values = browser.hidden
        values.merge(["do": "!/login/reset", "kept-username": "parked"]) { $1 }
        try await browser.post("/account/name", values)
        #expect(browser.address.hasPrefix("/login/reset?going=") && browser.body.contains("parked"))
        // The page was the only place of it.
        try await browser.reload()
        try await browser.back()
        #expect(browser.screen == "/login" && !browser.body.contains("parked"))
    }

    @Test("A visit takes no input from a form without a login before it")
    func smuggled() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/account/region")
        try await browser.submit(["region": "nowhere", "kept-username": "smuggled"])
        #expect(browser.isRefused && !browser.body.contains("smuggled"))
        try await browser.open("/account/sessions")
        try await browser.open("/account/name")
        try await browser.submit(["username": "!", "kept-username": "smuggled"])
        #expect(!browser.body.contains("smuggled"))
    }

    @Test("A visit ends after its time without a request")
    func ended() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.open("/signup/region")
        try await browser.submit(["region": "SE"])
        site.clock.advance(by: 901)
        try await browser.reload()
        #expect(browser.address == "/signup/region")
    }

    @Test("The code is requested after the password, and then leads to the target")
    func secondFactor() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/account/second-factor")
        try await browser.follow("Set up")
        #expect(browser.address.hasPrefix("/account/second-factor/set-up?going="))
        let secret = try #require(browser.body.firstMatch(of: #/<code>([A-Z2-7 ]+)<\/code>/#)?.1)
        let authenticator = try #require(Authenticator(secret.filter { $0 != " " }))
        try await browser.submit(["code": authenticator.code(at: site.clock.now)])
        #expect(browser.address.hasPrefix("/account/second-factor/codes?going="))
        let codes = try #require(browser.body.firstMatch(of: #/data-copy="([^"]*)" hidden>/#)?.1)
        #expect(codes.split(separator: "\n").count == browser.body.matches(of: #/<dt>/#).count)
        try await browser.back()
        #expect(browser.address == "/account/second-factor")
        site.clock.advance(by: 30)
        let other = Browser(site)
        try await other.logIn(at: "/articles?tag=odd")
        #expect(other.address.hasPrefix("/second-factor?going=") && other.cookies["session"] == nil)
        try await other.submit(["code": "000000"])
        #expect(other.isRefused)
        try await other.submit(["code": authenticator.code(at: site.clock.now)])
        #expect(other.address == "/articles?tag=odd")
    }

    @Test("After a session has ended, the code is also requested, and the input waits behind both")
    func expiredWithSecondFactor() async throws {
        let site = try await Site.furnished()
        let browser = Browser(site)
        try await browser.logIn(at: "/account/second-factor")
        try await browser.follow("Set up")
        let secret = try #require(browser.body.firstMatch(of: #/<code>([A-Z2-7 ]+)<\/code>/#)?.1)
        let authenticator = try #require(Authenticator(secret.filter { $0 != " " }))
        try await browser.submit(["code": authenticator.code(at: site.clock.now)])
        site.clock.advance(by: 30)
        try await browser.open("/account/name")
        let token = try #require(browser.cookies["session"].flatMap { SessionToken($0) })
        try await site.services.auth.logOut(token: token)
        try await browser.submit(["username": "grace"])
        try await browser.submit(["username": "ada", "password": Site.password])
        #expect(browser.address.hasPrefix("/second-factor?going="))
        try await browser.submit(["code": authenticator.code(at: site.clock.now)])
        #expect(browser.body.contains("value=\"grace\""))
        try await browser.submit(["username": "grace"])
        #expect(browser.address == "/account")
    }

    @Test("An action that cannot be undone asks first, and does nothing without the answer")
    func question() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/account")
        try await browser.choose("log-out-everywhere")
        #expect(browser.hidden["agreed"] == "yes" && browser.cookies["session"] != nil)
        try await browser.press("Yes")
        #expect(browser.cookies["session"] == nil && browser.address == "/login")
    }

    @Test("The log-out of every page asks first, and leads back to that page without the answer")
    func logOut() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn()
        let page = "/articles/article-2?in=%2Farticles%3Ftag%3Deven"
        try await browser.open(page)
        try await browser.press("Log out")
        #expect(browser.body.contains("<h1>Log out?</h1>") && browser.cookies["session"] != nil)
        try await browser.follow("No")
        #expect(browser.address == page && browser.cookies["session"] != nil)
        try await browser.press("Log out")
        try await browser.press("Yes")
        #expect(browser.cookies["session"] == nil && browser.address.hasPrefix("/login"))
    }
}

extension Browser {
    /// Begins this many sign-ups.
    fileprivate func begin(_ count: Int, before each: (Int) -> Void = { _ in }) async throws {
        try await open("/signup/region")
        let (form, values) = (address, hidden.merging(["do": "send", "region": "SE"]) { $1 })
        for number in 0..<count {
            each(number)
            try await post(form, values)
            #expect(address.hasPrefix("/signup/username?going="))
        }
    }
}
