/// A graph of the screens and the events that lead from one to another. It is declared as data, so it can be drawn and
/// compared with the moves that an application makes.
///
/// ```swift
/// let graph = FlowGraph(
///     nodes: [.init(AppRoute.login), .init(AppRoute.articles)],
///     edges: [.init(AppRoute.login, .submitted, to: AppRoute.articles), .back(AppRoute.articles, to: AppRoute.login)])
/// ```
public struct FlowGraph: Hashable, Sendable {
    /// A screen.
    public struct Node: Hashable, Sendable {
        /// The name of the screen, as in ``Route/screenName``.
        public let screen: String
        /// The kind of flow to which the screen belongs.
        public let flow: FlowKind

        /// Creates a node from its properties.
        public init(screen: String, flow: FlowKind) {
            self.screen = screen
            self.flow = flow
        }

        /// Creates the node of the screen that shows a route.
        public init(_ route: some Route) {
            self.init(screen: route.screenName, flow: route.flow)
        }
    }

    /// An edge from one screen to another, or back to the same screen.
    public struct Edge: Hashable, Sendable {
        /// The name of the event for going back. A screen does not report this event.
        public static let back = "back"

        /// The screen that reported the event.
        public let from: String
        /// The name of the event, or ``back``.
        public let event: String
        /// The screen on top after the event and everything that it caused.
        public let to: String

        /// Creates an edge.
        public init(_ from: String, _ event: String, _ to: String) {
            self.from = from
            self.event = event
            self.to = to
        }

        /// Creates the edge from the screen of one route to the screen of another. The payload of the event does not
        /// matter.
        public init<R: Route>(_ from: R, _ event: R.Event, to: R) {
            self.init(from.screenName, event.name, to.screenName)
        }

        /// Creates the edge for going back.
        public static func back<R: Route>(_ from: R, to: R) -> Edge {
            Edge(from.screenName, back, to.screenName)
        }
    }

    /// The screens.
    public var nodes: [Node]
    /// The edges between the screens.
    public var edges: [Edge]

    /// Creates a graph.
    public init(nodes: [Node], edges: [Edge]) {
        self.nodes = nodes
        self.edges = edges
    }

    /// Returns the edges in a journal that the graph does not declare, each once, in the order of the journal.
    public func undeclared(in journal: Journal) -> [Edge] {
        var seen = Set(edges)
        return journal.edges.filter { seen.insert($0).inserted }
    }

    /// Returns the declared edges that do not occur in a journal. The journal may have dropped old entries.
    public func untaken(by journal: Journal) -> [Edge] {
        let taken = Set(journal.edges)
        return edges.filter { !taken.contains($0) }
    }

    /// Returns the graph as a Mermaid flowchart: a group for each flow, and a single arrow for all edges from one
    /// screen to another.
    public func mermaid() -> String {
        let drawing = Drawing(self)
        var lines = ["flowchart LR"]
        for (index, flow) in drawing.flows.enumerated() {
            lines.append("    subgraph flow\(index)[\"\(Self.mermaidEscaped(flow.name))\"]")
            for node in nodes where node.flow == flow {
                lines.append("        \(drawing.id(node.screen))[\"\(Self.mermaidEscaped(node.screen))\"]")
            }
            lines.append("    end")
        }
        for screen in drawing.strays {
            lines.append("    \(drawing.id(screen))[\"\(Self.mermaidEscaped(screen))\"]")
        }
        for arrow in drawing.arrows {
            let label = arrow.events.map(Self.mermaidEscaped).joined(separator: "<br/>")
            lines.append("    \(drawing.id(arrow.from)) -->|\"\(label)\"| \(drawing.id(arrow.to))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the graph in the DOT language of Graphviz: a cluster for each flow, and a single arrow for all edges
    /// from one screen to another.
    public func graphviz() -> String {
        let drawing = Drawing(self)
        var lines = ["digraph {", "    rankdir=LR", "    node [shape=box]"]
        for (index, flow) in drawing.flows.enumerated() {
            lines.append("    subgraph cluster_\(index) {")
            lines.append("        label=\"\(Self.dotEscaped(flow.name))\"")
            for node in nodes where node.flow == flow {
                lines.append("        \(drawing.id(node.screen)) [label=\"\(Self.dotEscaped(node.screen))\"]")
            }
            lines.append("    }")
        }
        for screen in drawing.strays {
            lines.append("    \(drawing.id(screen)) [label=\"\(Self.dotEscaped(screen))\"]")
        }
        for arrow in drawing.arrows {
            let label = arrow.events.map(Self.dotEscaped).joined(separator: "\\n")
            lines.append("    \(drawing.id(arrow.from)) -> \(drawing.id(arrow.to)) [label=\"\(label)\"]")
        }
        lines.append("}")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The parts that both languages draw. Screens have numbers, so only labels need escapes.
    private struct Drawing {
        var flows: [FlowKind] = []
        /// The screens that occur only in edges.
        var strays: [String] = []
        /// The arrows: all edges between the same two screens are a single arrow.
        var arrows: [(from: String, to: String, events: [String])] = []
        private var numbers: [String: Int] = [:]

        init(_ graph: FlowGraph) {
            for node in graph.nodes {
                if !flows.contains(node.flow) { flows.append(node.flow) }
                _ = number(node.screen)
            }
            for screen in graph.edges.flatMap({ [$0.from, $0.to] }) where number(screen) {
                strays.append(screen)
            }
            for edge in graph.edges {
                if let arrow = arrows.firstIndex(where: { $0.from == edge.from && $0.to == edge.to }) {
                    arrows[arrow].events.append(edge.event)
                } else {
                    arrows.append((edge.from, edge.to, [edge.event]))
                }
            }
        }

        func id(_ screen: String) -> String { "n\(numbers[screen] ?? 0)" }

        private mutating func number(_ screen: String) -> Bool {
            guard numbers[screen] == nil else { return false }
            numbers[screen] = numbers.count
            return true
        }
    }

    /// Mermaid does not have an escape character, but it reads `#60;` as the character with that number. Every special
    /// character is written in this way: quotation marks end a label, `<` starts HTML, and backticks start Markdown.
    private static func mermaidEscaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || " /._-".unicodeScalars.contains(scalar)
            return isPlain ? String(scalar) : "#\(scalar.value);"
        }.joined()
    }

    private static func dotEscaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n", "\r\n", "\r": "\\n"
            default: String(character)
            }
        }.joined()
    }
}
