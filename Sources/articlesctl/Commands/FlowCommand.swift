import FlowCoordinators
import Navigation

/// `flow`: which screen leads where.
struct FlowCommand: Command {
    enum Format: String, CaseIterable { case mermaid, graphviz }

    static let spec = CommandSpec(
        name: "flow", summary: "draw which screen leads where",
        options: [
            OptionSpec(
                name: "format", short: "f", summary: "the language of the drawing", value: "FORMAT",
                values: .choices(Format.allCases.map(\.rawValue)), defaultValue: Format.mermaid.rawValue)
        ],
        examples: [Example(command: "articlesctl flow -f graphviz | dot -Tsvg > flow.svg", summary: "a picture")])

    private let format: Format

    init(_ parsed: ParsedCommand) { format = parsed.value("format").flatMap(Format.init) ?? .mermaid }

    func run(in context: Context) async throws {
        switch format {
        case .mermaid: try context.output.write(AppRoute.graph.mermaid())
        case .graphviz: try context.output.write(AppRoute.graph.graphviz())
        }
    }
}
