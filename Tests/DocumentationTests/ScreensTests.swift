import FlowCoordinators
import Navigation
import Testing

@Suite("The page of the screens")
struct ScreensTests {
    @Test("The page has the graph that the application declares")
    func drawing() throws {
        #expect(try Page("docs/screens.md").snippets(of: "mermaid") == [AppRoute.graph.mermaid()])
    }
}
