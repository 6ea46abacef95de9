import ArticleStore
import AuthService
import Foundation
import HTTPServer
import LibraryServices
import TestSupport
import Testing
import Text

@Suite("Rules in a browser")
struct RuleTests {
    @Test("A rule is made from a list, tried with its input, saved, changed, and removed after a question")
    func story() async throws {
        let browser = Browser(try await Site.furnished(12))
        try await browser.logIn(at: "/articles?search=article&tag=even")
        try await browser.follow("Make rule")
        #expect(browser.body.contains("value=\"tag:&quot;even&quot; (article)\""))
        try await browser.press("Try", filling: ["name": "Even <b>", "words": "tag:even", "star": "yes"])
        #expect(browser.hasSucceeded && browser.body.contains("The condition meets 6 of the last 12 articles."))
        #expect(browser.hidden["name"] == "Even <b>" && browser.hidden["star"] == "yes" && browser.hidden["hide"] == "")
        try await browser.reload()
        #expect(!browser.hasSucceeded && browser.hidden["words"] == "tag:even")
        let form = browser.address
        try await browser.follow("Show the articles")
        #expect(browser.body.contains("<h1 dir=\"auto\">6 of the last 12 articles</h1>"))
        #expect(browser.body.contains("Article 12") && !browser.body.contains("Article 11"))
        #expect(try await rules(of: browser).isEmpty)

        try await browser.open(form)
        try await browser.press("Save")
        #expect(browser.hasSucceeded && browser.screen == "/rules")
        #expect(browser.body.contains("Star: articles matching"))
        #expect(try await rules(of: browser).map(\.name.name) == ["Even <b>"])
        try await browser.follow("Even &lt;b&gt;")
        #expect(browser.hidden["star"] == "yes")
        // A box that the user clears is not sent.
        try await browser.press("Save", filling: ["star": "", "read": "yes", "name": "Even"])
        #expect(try await rules(of: browser).map(\.storedActions) == ["read"])
        try await browser.follow("Even")
        try await browser.choose("ruleRemovalChosen")
        #expect(browser.body.contains("Remove the rule “Even”?"))
        try await browser.press("Yes")
        #expect(browser.hasSucceeded && browser.body.contains("You have no rules."))
        #expect(try await rules(of: browser).isEmpty)
    }

    private func rules(of browser: Browser) async throws -> [Rule] {
        let token = try #require(browser.cookies["session"].flatMap { SessionToken($0) })
        let services = browser.site.services
        let user = try #require(try await services.auth.currentSession(token: token)?.user.id)
        return try await services.marks.rules(of: user)
    }

    @Test("An error is shown at its field with the input", arguments: ["text/html", "*/*"])
    func errors(accept: String) async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/rules/save")
        browser.accept = accept
        let cases: [(field: String, answers: [String: String], words: String)] = [
            ("words", ["name": "a"], "A rule needs a condition: words of a search"),
            ("hide", ["name": "a", "words": "b"], "A rule needs an action: hide, read, star, later, or a tag."),
            ("source", ["name": "a", "source": "nowhere", "star": "yes"], "“nowhere”"),
            ("pattern", ["name": "a", "field": "title", "pattern": "(", "star": "yes"], "missing closing parenthesis"),
        ]
        for (field, answers, words) in cases {
            let empty = ["name": "", "words": "", "source": "", "pattern": "", "star": ""]
            try await browser.press("Save", filling: empty.merging(answers) { $1 })
            #expect(browser.isRefused, "\(field)")
            let hint = try #require(
                browser.body.range(of: "<small id=\"field-\(field)-hint\"><strong class=\"wrong\">"))
            #expect(browser.body[hint.upperBound...].prefix(200).contains(words), "\(field)")
            #expect(browser.body.ranges(of: "class=\"wrong\"").count == 1, "\(field)")
            #expect(browser.body.contains("name=\"name\" value=\"a\""))
            let input = try #require(browser.body.range(of: "id=\"field-\(field)\""))
            #expect(browser.body[input.upperBound...].prefix { $0 != ">" }.contains("autofocus"), "\(field)")
        }
        // Trying keeps the input, too.
        try await browser.press("Try", filling: ["name": "kept", "pattern": "(", "field": "title"])
        #expect(browser.isRefused && browser.body.contains("name=\"name\" value=\"kept\""))
    }

    @Test("A form without a button to try does not accept it")
    func noTrial() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/account/region")
        try await browser.post("/account/region", browser.hidden.merging(["do": "try", "region": "JP"]) { $1 })
        #expect(browser.body.contains("This action is no longer available."))
    }
}
