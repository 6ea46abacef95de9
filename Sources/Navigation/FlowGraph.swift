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
        /// The section in which the screen is shown; nil for a screen that is shown in all sections or above them.
        public let section: SectionID?

        /// Creates a node from its properties.
        public init(screen: String, flow: FlowKind, section: SectionID? = nil) {
            self.screen = screen
            self.flow = flow
            self.section = section
        }

        /// Creates the node of the screen that shows a route.
        public init(_ route: some Route, in section: SectionID? = nil) {
            self.init(screen: route.screenName, flow: route.flow, section: section)
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

    /// Returns the graph as a Mermaid flowchart: a group for each flow, a group for each section around its flows, and a
    /// single arrow for all edges from one screen to another. The user can select every section from every screen that
    /// is not modal, so the graph does not draw arrows for that.
    public func mermaid() -> String {
        let drawing = Drawing(self)
        var lines = ["flowchart LR"]
        lines += drawing.grouped { line in
            switch line {
            case .section(let index, let section):
                ["subgraph section\(index)[\"\(Self.mermaidEscaped(section.name))\"]"]
            case .flow(let index, let flow): ["subgraph flow\(index)[\"\(Self.mermaidEscaped(flow.name))\"]"]
            case .screen(let id, let screen): ["\(id)[\"\(Self.mermaidEscaped(screen))\"]"]
            case .end: ["end"]
            }
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

    /// Returns the graph in the DOT language of Graphviz: a cluster for each flow, a cluster for each section around its
    /// flows, and a single arrow for all edges from one screen to another.
    public func graphviz() -> String {
        let drawing = Drawing(self)
        var lines = ["digraph {", "    rankdir=LR", "    node [shape=box]"]
        lines += drawing.grouped { line in
            switch line {
            case .section(let index, let section):
                ["subgraph cluster_section\(index) {", "label=\"\(Self.dotEscaped(section.name))\""]
            case .flow(let index, let flow):
                ["subgraph cluster_\(index) {", "label=\"\(Self.dotEscaped(flow.name))\""]
            case .screen(let id, let screen): ["\(id) [label=\"\(Self.dotEscaped(screen))\"]"]
            case .end: ["}"]
            }
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
        /// The flows, in the order of their first screens, and each once for each section that shows it.
        private var groups: [(section: SectionID?, flow: FlowKind, screens: [String])] = []
        /// The screens that occur only in edges.
        var strays: [String] = []
        /// The arrows: all edges between the same two screens are a single arrow.
        var arrows: [(from: String, to: String, events: [String])] = []
        private var numbers: [String: Int] = [:]

        init(_ graph: FlowGraph) {
            for node in graph.nodes {
                if let group = groups.firstIndex(where: { $0.section == node.section && $0.flow == node.flow }) {
                    groups[group].screens.append(node.screen)
                } else {
                    groups.append((node.section, node.flow, [node.screen]))
                }
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

        /// A line of the part that groups the screens.
        enum Line {
            case section(Int, SectionID)
            case flow(Int, FlowKind)
            case screen(String, String)
            case end
        }

        /// Returns the lines that group the screens by section and flow, indented. A section is where its first screen
        /// is.
        func grouped(_ write: (Line) -> [String]) -> [String] {
            var lines: [String] = []
            func add(_ line: Line, depth: Int) {
                for (index, text) in write(line).enumerated() {
                    // A second line is the label of the group.
                    lines.append(String(repeating: "    ", count: depth + index) + text)
                }
            }
            func addFlow(_ index: Int, depth: Int) {
                add(.flow(index, groups[index].flow), depth: depth)
                for screen in groups[index].screens { add(.screen(id(screen), screen), depth: depth + 1) }
                add(.end, depth: depth)
            }
            var drawn: [SectionID] = []
            for (index, group) in groups.enumerated() {
                guard let section = group.section else {
                    addFlow(index, depth: 1)
                    continue
                }
                guard !drawn.contains(section) else { continue }
                add(.section(drawn.count, section), depth: 1)
                drawn.append(section)
                for index in groups.indices where groups[index].section == section { addFlow(index, depth: 2) }
                add(.end, depth: 1)
            }
            return lines
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
