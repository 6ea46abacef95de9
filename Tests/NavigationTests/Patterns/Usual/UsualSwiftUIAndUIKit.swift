import Observation
import Testing

// The usual form of the page SwiftUIAndUIKit. A test compares the two.

private enum AppRoute: Hashable {
    case article(Int)
    case account
}

@MainActor
@Observable
private final class Router {
    var path: [AppRoute] = []
}

private struct AppView: View {
    @Bindable var router: Router
    let onClose: @MainActor () -> Void

    var body: some View {
        NavigationStack(path: $router.path) {
            ArticleList(onSelect: { router.path.append(.article($0)) })
                .navigationDestination(for: AppRoute.self) { route in
                    ArticleView(route: route, onClose: close)
                }
        }
    }

    func close() {
        router.path.removeLast()
        onClose()
    }
}

private struct ArticleList: View {
    let onSelect: @MainActor (Int) -> Void

    var body: some View {
        Button("The first article") { onSelect(1) }
    }
}

private struct ArticleView: View {
    let route: AppRoute
    let onClose: @MainActor () -> Void

    var body: some View {
        Button("Close", action: onClose)
    }
}

@Suite("The usual code with SwiftUI")
@MainActor
struct UsualSwiftUIAndUIKitTests {
    private final class Closed {
        var count = 0
    }

    private let closed = Closed()

    private func makeView() throws -> (AppView, NavigationStack<AppRoute, ArticleList>) {
        let view = AppView(router: Router(), onClose: { [closed] in closed.count += 1 })
        return (view, try #require(view.body as? NavigationStack<AppRoute, ArticleList>))
    }

    @Test("The list leads to an article and back by its button, which reports it")
    func story() throws {
        let (view, stack) = try makeView()
        try #require(stack.root.body as? Button).action()
        #expect(stack.path.wrappedValue == [.article(1)])
        view.close()
        #expect(stack.path.wrappedValue == [])
        #expect(closed.count == 1)
    }

    @Test("The code is not notified when the system goes back by itself")
    func systemBack() throws {
        let (_, stack) = try makeView()
        stack.root.onSelect(1)
        stack.goBack()
        #expect(stack.path.wrappedValue == [])
        #expect(closed.count == 0)
    }

    @Test("Everything that is written to the path is shown")
    func unjudged() throws {
        let (_, stack) = try makeView()
        stack.path.wrappedValue = [.account]
        #expect(stack.path.wrappedValue == [.account])
    }
}
