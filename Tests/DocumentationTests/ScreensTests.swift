import FlowCoordinators
import Navigation
import Testing

@Suite("The page of the screens")
struct ScreensTests {
    @Test("draws them as the application declares them")
    func drawing() throws {
        #expect(try Page("docs/screens.md").snippets(of: "mermaid") == [AppRoute.graph.mermaid()])
    }
}
