import ArticleStore
import FlowCoordinators
import Testing

@testable import WebFront

@Suite("The cache of rendered texts")
struct RenderedTextsTests {
    private let page = PlaceAddress(.article("hello"))

    private func source(
        _ body: String, base: String? = nil, address: String? = nil, images: WebFrontSettings.Images = .off,
        on page: PlaceAddress? = nil
    ) -> RenderedTexts.Source {
        RenderedTexts.Source(
            Document(facts: [], body: body, format: .markdown, base: base, address: address), images: images,
            on: page ?? self.page)
    }

    /// How often each text was rendered.
    private func made(of sources: [RenderedTexts.Source], room: Int = 1 << 20) -> [Int] {
        let texts = RenderedTexts(room: room)
        return sources.map { source in
            var count = 0
            _ = texts.html(of: source) {
                count += 1
                return ""
            }
            return count
        }
    }

    @Test("A text is rendered once")
    func once() { #expect(made(of: [source("a"), source("a"), source("a")]) == [1, 0, 0]) }

    @Test("A text is rendered again if a value that it depends on changes")
    func dependences() {
        let others = [
            source("b"), source("a", base: "https://x.example/"), source("a", address: "https://x.example/a"),
            source("a", images: .all), source("a", on: PlaceAddress(.article("other"))),
            source("a", on: PlaceAddress(.article("hello"), above: ArticleList(limit: 7))),
        ]
        for other in others { #expect(made(of: [source("a"), other, source("a")])[1] == 1) }
    }

    @Test("Texts that are not used are removed first when the cache is full")
    func room() {
        let pages = (0..<12).map { PlaceAddress(.article(ArticleReference("a\($0)"))) }
        let sources = pages.map { source(String(repeating: "x", count: 1_000), on: $0) }
        let asked = sources.dropFirst().flatMap { [$0, sources[0]] }
        // The first is requested between all others.
        let counts = made(of: [sources[0]] + asked, room: 10_000)
        #expect(counts.first == 1 && stride(from: 2, to: counts.count, by: 2).allSatisfy { counts[$0] == 0 })
        #expect(made(of: sources + [sources[0]], room: 10_000).last == 1)
    }

    @Test("The length of addresses counts for the size of the cache")
    func longAddresses() {
        let lists = (0..<12).map {
            ArticleList(query: ArticleQuery(author: String(repeating: "x", count: 1_500) + "\($0)"))
        }
        let sources = lists.map { source("a", on: PlaceAddress(.article("hello"), above: $0)) }
        #expect(made(of: sources + [sources[0]], room: 20_000).last == 1)
    }

    @Test("A text that is too long alone is not cached")
    func tooLong() {
        let long = source(String(repeating: "x", count: 10_000))
        #expect(made(of: [long, long], room: 10_000) == [1, 1])
    }
}
