import LibraryServices
import AuthService
import FlowCoordinators
import Foundation
import HTTPServer
import ArticleStore
import Testing

@Suite("The look of pages")
struct AppearanceTests {
    @Test("A chosen theme applies on the next page, and in other browsers")
    func chosen() async throws {
        let site = try await Site.furnished()
        let (browser, other) = (Browser(site), Browser(site))
        try await browser.logIn(at: "/appearance")
        #expect(browser.body.contains("data-appearance=\"default\""))
        try await browser.press("Use the theme", after: ">dark<")
        #expect(browser.body.contains("data-appearance=\"dark\""))
        #expect(browser.body.contains("<meta name=\"color-scheme\" content=\"dark\">"))
        try await other.logIn()
        #expect(other.body.contains("data-appearance=\"dark\""))
    }

    @Test("A larger text applies on the next page, and the usual size needs no attribute")
    func size() async throws {
        let browser = Browser(try await Site.furnished())
        try await browser.logIn(at: "/appearance")
        #expect(!browser.body.contains("data-size"))
        try await browser.choose("larger-text")
        #expect(browser.body.contains("<html lang=\"en\" data-appearance=\"default\" data-size=\"115\">"))
        try await browser.choose("smaller-text")
        #expect(!browser.body.contains("data-size"))
    }

    @Test(
        "The width of the text is that chosen in the reader",
        arguments: [("60", "narrow"), ("72", "usual"), ("100", "wide")])
    func width(columns: String, name: String) async throws {
        let site = try await Site.furnished()
        try await site.services.reading.savePreferences("light \(columns)", ofUser: 1)
        let browser = Browser(site)
        try await browser.logIn()
        #expect(browser.body.contains("<body data-width=\"\(name)\""))
        #expect(browser.body.contains("data-appearance=\"light\""))
    }
}
