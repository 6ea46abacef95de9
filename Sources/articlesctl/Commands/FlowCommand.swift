import Arguments
import AuthService
import FlowCoordinators
import Navigation
import Terminal
import Text

/// `flow`: prints the graph of screens.
struct FlowCommand: Command {
    enum Format: String, CaseIterable { case mermaid, graphviz }

    static let name = "flow"
    static let spec = CommandSpec(
        name: name, summary: "draw the graph of the screens",
        discussion: """
            With --json, the command prints the graph as data, regardless of the format: “screens” with the “name”, the \
            “flow”, and the “section” of each, and “ways” with “from”, “event”, and “to”. A screen that every section may \
            show has no section.
            """,
        options: [
            OptionSpec(
                name: "format", short: "f", summary: "the language of the drawing", value: "FORMAT",
                values: .choices(Format.allCases.map(\.rawValue)), defaultValue: Format.mermaid.rawValue),
            OptionSpec(
                name: "role", summary: "only the screens of users with this role", value: "ROLE",
                values: .choices(Role.allCases.map(\.rawValue))),
        ],
        examples: [Example(command: "articlesctl flow -f graphviz | dot -Tsvg > flow.svg", summary: "make a picture")])

    private let format: Format
    private let graph: FlowGraph

    init(_ parsed: ParsedCommand) {
        format = parsed.value("format").flatMap(Format.init) ?? .mermaid
        graph = parsed.value("role").flatMap(Role.init).map(AppRoute.graph) ?? AppRoute.graph
    }

    func run(in context: Context) async throws {
        if context.json { return try context.write(Self.json(graph)) }
        switch format {
        case .mermaid: try context.output.write(graph.mermaid())
        case .graphviz: try context.output.write(graph.graphviz())
        }
    }

    private static func json(_ graph: FlowGraph) -> JSON {
        [
            "screens": .array(
                graph.nodes.map { node in
                    [
                        "name": .string(node.screen), "flow": .string(node.flow.name),
                        "section": node.section.map { .string($0.name) } ?? .null,
                    ]
                }),
            "ways": .array(
                graph.edges.map {
                    ["from": .string($0.from), "event": .string($0.event), "to": .string($0.to)]
                }),
        ]
    }
}
