import PackagePlugin

/// Converts the SQL files in a target's folder to Swift whenever one of them is new or has changed.
///
/// The libraries on PostgreSQL begin with the fifteenth step: no server has an older one.
@main
struct EmbedMigrations: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SourceModuleTarget else { return [] }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedMigrations.swift")
        let (module, first) = target.name == "PostgreSQLMigrations" ? ("PostgreSQL", 15) : ("Database", 1)
        let steps = target.sourceFiles(withSuffix: ".sql").map(\.url).sorted { $0.path < $1.path }
        return [
            .buildCommand(
                displayName: "Embedding \(steps.count) migrations",
                executable: try context.tool(named: "embed-migrations").url,
                arguments: [module, "\(first)", output.path] + steps.map(\.path),
                inputFiles: steps,
                outputFiles: [output])
        ]
    }
}
