/// Which screen leads where, by which event: declared as data, so that it can be drawn, and compared with what happens.
///
/// ```swift
/// let graph = FlowGraph(
///     nodes: [.init(AppRoute.login), .init(AppRoute.articles)],
///     edges: [.init(AppRoute.login, .submitted, to: AppRoute.articles), .back(AppRoute.articles, to: AppRoute.login)])
/// ```
public struct FlowGraph: Hashable, Sendable {
    /// A screen.
    public struct Node: Hashable, Sendable {
        /// The screen, as ``Route/screenName`` names it.
        public let screen: String
        /// The kind of flow it belongs to.
        public let flow: FlowKind

        /// Creates a node from its parts.
        public init(screen: String, flow: FlowKind) {
            self.screen = screen
            self.flow = flow
        }

        /// Creates the node that a route is shown at.
        public init(_ route: some Route) {
            self.init(screen: route.screenName, flow: route.flow)
        }
    }

    /// A way from one screen to another, or back to itself.
    public struct Edge: Hashable, Sendable {
        /// The name of going back, which does not come from a screen.
        public static let back = "back"

        /// The screen the event was reported at.
        public let from: String
        /// The name of the event; ``back`` for going back.
        public let event: String
        /// The screen shown when all the event caused was done.
        public let to: String

        /// Creates an edge.
        public init(_ from: String, _ event: String, _ to: String) {
            self.from = from
            self.event = event
            self.to = to
        }

        /// Creates the edge from the screen of one route to that of another. The payload of the event does not matter.
        public init<R: Route>(_ from: R, _ event: R.Event, to: R) {
            self.init(from.screenName, event.name, to.screenName)
        }

        /// Creates the edge that going back takes.
        public static func back<R: Route>(_ from: R, to: R) -> Edge {
            Edge(from.screenName, back, to.screenName)
        }
    }

    /// The screens.
    public var nodes: [Node]
    /// The ways between them.
    public var edges: [Edge]

    /// Creates a graph.
    public init(nodes: [Node], edges: [Edge]) {
        self.nodes = nodes
        self.edges = edges
    }

    /// The ways that were taken and are not declared, each once, in the order they were first taken.
    public func undeclared(in journal: Journal) -> [Edge] {
        var seen = Set(edges)
        return journal.edges.filter { seen.insert($0).inserted }
    }

    /// The declared ways that were not taken, as far as the journal reaches back.
    public func untaken(by journal: Journal) -> [Edge] {
        let taken = Set(journal.edges)
        return edges.filter { !taken.contains($0) }
    }

    /// The graph as a Mermaid flowchart: a group for each flow, an arrow for all ways from one screen to another.
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

    /// The graph in the DOT language of Graphviz: a cluster for each flow, an arrow for all ways from one screen to
    /// another.
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

    /// The parts both languages draw. Screens are numbered, so that only labels need escaping.
    private struct Drawing {
        var flows: [FlowKind] = []
        /// Screens that edges name and no node does.
        var strays: [String] = []
        /// The edges, those between the same places as one.
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

    /// Mermaid lacks an escape character; it reads `#60;` as the character of that number. Every character that may be
    /// harmful is written so: quotes end a label, `<` starts HTML, and backticks Markdown.
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
