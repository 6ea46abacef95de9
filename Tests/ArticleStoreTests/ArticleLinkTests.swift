import Text
import ArticleStore
import Foundation
import Markup
import StoreEngines
import TestSupport
import Testing

@Suite("Links between articles")
struct ArticleLinkTests {
    /// A site in several languages, a blog with dates in the names of its files, and pages at the root.
    private static let keys: [ExactText] = [
        "docs/en/guides/setup.md", "docs/fr/guides/setup.md", "docs/de/guides/setup.md", "docs/fr/start.md",
        "docs/de/best.md", "docs/de/building.md", "building.md", "_posts/2016-05-03-plans.md", "posts/notes.md",
        "guides/deploy/index.md", "content/about.fr.md", "content/about.md", "Reading list.md",
    ]

    private static let articles = keys.enumerated().map { index, key in
        Article(
            id: Int64(index), source: SourceReference(id: 1, uid: .random(), name: "site"), key: key,
            slug: key == "docs/en/guides/setup.md" ? "setup" : "article-\(index)", title: "T", body: "",
            published: Date(timeIntervalSince1970: 1_462_233_600), updated: Date(timeIntervalSince1970: 0))
    }

    private static func target(of link: String, in key: ExactText) throws -> ExactText? {
        let article = try #require(articles.first { $0.key == key })
        let link = ArticleLink(URLReference(link), base: nil, in: LinkCandidate(article))
        if let key = link.keys.first(where: keys.contains) { return key }
        return link.target(among: articles.map { LinkCandidate($0) })?.key
    }

    @Test(
        "A link leads to the article whose path it names",
        arguments: [
            ("/fr/guides/setup/", "docs/fr/start.md", "docs/fr/guides/setup.md"),
            ("/de/guides/setup/", "docs/fr/start.md", "docs/de/guides/setup.md"),
            ("/docs/fr/guides/setup.html", "docs/de/best.md", "docs/fr/guides/setup.md"),
            // The site is below a path.
            ("/handbook/docs/de/guides/setup", "docs/fr/start.md", "docs/de/guides/setup.md"),
            // Relative to the file, and to the page that is generated from it.
            ("guides/setup.md", "docs/fr/start.md", "docs/fr/guides/setup.md"),
            ("../guides/setup/", "docs/fr/start.md", "docs/fr/guides/setup.md"),
            ("../building/", "docs/de/best.md", "docs/de/building.md"),
            ("building.md", "docs/de/best.md", "docs/de/building.md"),
            ("../../building.md", "docs/de/best.md", "building.md"),
            // The link means the page of the same language.
            ("/guides/setup/", "docs/fr/start.md", "docs/fr/guides/setup.md"),
            // Dates, folders of generators, languages in names.
            ("/2016/05/03/plans/", "docs/fr/start.md", "_posts/2016-05-03-plans.md"),
            ("/blog/2016/05/plans.html", "docs/fr/start.md", "_posts/2016-05-03-plans.md"),
            ("/plans/", "docs/fr/start.md", "_posts/2016-05-03-plans.md"),
            ("/notes/", "docs/fr/start.md", "posts/notes.md"),
            ("/guides/deploy/", "docs/fr/start.md", "guides/deploy/index.md"),
            ("/fr/about/", "docs/fr/start.md", "content/about.fr.md"),
            ("/about/", "docs/fr/start.md", "content/about.md"),
            // A note is linked by its name.
            ("Reading list", "docs/fr/start.md", "Reading list.md"),
        ] as [(String, ExactText, ExactText)])
    func named(link: String, source: ExactText, target: ExactText) throws {
        #expect(try Self.target(of: link, in: source) == target)
    }

    @Test(
        "A link to a missing page does not lead to another page of the same name",
        arguments: [
            ("/nl/guides/setup/", "docs/fr/start.md"), ("/quite/another/thing/setup/", "docs/fr/start.md"),
            ("/xx/none/", "docs/fr/start.md"), ("../missing/setup/", "docs/fr/start.md"),
            ("guides/building.md", "docs/de/best.md"), ("setup.md", "docs/fr/start.md"), ("/setup/", "building.md"),
            ("/api/guides/building/", "docs/fr/start.md"), ("/2017/05/03/plans/", "docs/fr/start.md"),
            // The page exists in German and French, and English is not the language of the link.
            ("/nl/about/", "docs/fr/start.md"), ("/nl/building/", "docs/de/best.md"),
            ("/guides/setup/", "building.md"), ("../missing/setup.md", "docs/fr/start.md"),
        ] as [(String, ExactText)])
    func missing(link: String, source: ExactText) throws {
        #expect(try Self.target(of: link, in: source) == nil)
    }

    @Test(
        "A language that is not a tag is kept beside the article and does not refuse it",
        arguments: [
            ("pt_BR", "pt-BR"), ("zh-Hant-TW", "zh-Hant-TW"), ("yue", "yue"), ("x-klingon", "x-klingon"),
            ("klingonxxxx", nil), ("english", "english"), ("e", nil), ("x", nil), ("12", nil), ("en-abcdefghi", nil),
            ("en--US", nil),
        ] as [(String, String?)])
    func writtenLanguage(written: String, language: String?) async throws {
        let article = try await ImportFixture().article("---\ntitle: T\nlang: \(written)\n---\nText.\n")
        #expect(article.language == language)
        #expect(article.extra.contains(written) == (language == nil))
    }

    @Test(
        "A file in a folder that is named after a language is in that language",
        arguments: [
            ("docs/fr/guides/setup.md", "fr"), ("pt-br/a.md", "pt-BR"), ("docs/zh_CN/a.md", "zh-CN"),
            ("docs/it/a.md", "it"), ("docs/fr/setup.de.md", "de"), ("fr/en/a.md", "en"),
            // Numbers and years are often used for something else.
            ("notes/os/a.md", nil), ("cs/a.md", nil), ("guides/a.md", nil),
        ] as [(String, String?)])
    func folderLanguage(path: String, language: String?) async throws {
        let library = try ImportFixture()
        try library.folder.write("in/" + path, "# A title\n\nA text.\n")
        _ = try await library.run("in")
        #expect(try await library.article().language == language)
    }
}
