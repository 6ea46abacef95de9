// Stand-ins for SwiftUI, so that the code of its page is type-checked without SwiftUI. Nothing is drawn: a view's body
// is its content, and a stack knows its path.

@MainActor
protocol View {
    associatedtype Body: View

    @ViewBuilder var body: Body { get }
}

/// A view without a body.
@MainActor
protocol PrimitiveView: View where Body == Self {}

extension PrimitiveView {
    var body: Self { self }
}

@resultBuilder
@MainActor
enum ViewBuilder {
    static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    static func buildEither<First: View, Second: View>(first: First) -> ConditionalView<First, Second> { .first(first) }
    static func buildEither<First: View, Second: View>(second: Second) -> ConditionalView<First, Second> {
        .second(second)
    }
}

enum ConditionalView<First: View, Second: View>: PrimitiveView {
    case first(First)
    case second(Second)
}

struct Text: PrimitiveView {
    let text: String

    init(_ text: String) { self.text = text }
}

struct ProgressView: PrimitiveView {}

struct Button: PrimitiveView {
    let title: String
    let action: @MainActor () -> Void

    init(_ title: String, action: @escaping @MainActor () -> Void) {
        self.title = title
        self.action = action
    }
}

struct NavigationStack<Element: Hashable, Root: View>: PrimitiveView {
    let path: Binding<[Element]>
    let root: Root

    init(path: Binding<[Element]>, @ViewBuilder root: () -> Root) {
        self.path = path
        self.root = root()
    }

    /// The effect of the system's back button and the swipe.
    func goBack() { path.wrappedValue.removeLast() }
}

extension View {
    func navigationDestination<Element: Hashable>(
        for _: Element.Type, @ViewBuilder destination: @escaping (Element) -> some View
    ) -> some View { self }

    func sheet(isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> some View) -> some View { self }
    func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
}

@MainActor
@propertyWrapper
struct Binding<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void

    init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.get = get
        self.set = set
    }

    var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
}

@MainActor
@propertyWrapper
@dynamicMemberLookup
struct Bindable<Object: AnyObject> {
    let wrappedValue: Object

    var projectedValue: Self { self }

    subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Object, Value>) -> Binding<Value> {
        Binding(get: { wrappedValue[keyPath: path] }, set: { wrappedValue[keyPath: path] = $0 })
    }
}

struct ForEach<Element: Identifiable, Content: View>: PrimitiveView {
    let content: [Content]

    init(_ elements: [Element], @ViewBuilder content: (Element) -> Content) {
        self.content = elements.map { content($0) }
    }
}

struct TabView<Selection: Hashable, Content: View>: PrimitiveView {
    let selection: Binding<Selection>
    let content: Content

    init(selection: Binding<Selection>, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
    }
}

struct NavigationSplitView<Sidebar: View, Middle: View, Detail: View>: PrimitiveView {
    let sidebar: Sidebar
    let middle: Middle
    let detail: Detail

    init(
        @ViewBuilder sidebar: () -> Sidebar, @ViewBuilder content: () -> Middle, @ViewBuilder detail: () -> Detail
    ) {
        self.sidebar = sidebar()
        middle = content()
        self.detail = detail()
    }
}

struct EmptyView: PrimitiveView {}

extension NavigationSplitView where Middle == EmptyView {
    init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail) {
        self.init(sidebar: sidebar, content: { EmptyView() }, detail: detail)
    }
}

extension View {
    func tabItem(@ViewBuilder _ label: () -> some View) -> some View { self }
    func tag(_ tag: some Hashable) -> some View { self }
}
