import Testing

@testable import articlesctl

@Suite("The page on the configuration")
struct ConfigurationPageTests {
    @Test("The tables have every key with its effect, its values, and its default")
    func keys() throws {
        let tables = Dictionary(grouping: ConfigurationKey.all) { key in
            key.path.contains(".") ? String(key.path.prefix { $0 != "." }) : "top"
        }
        for (name, keys) in tables {
            let rows = keys.map { key in
                let standard = "\(key.standard)".replacing("|", with: "\\|")
                return ["`\(key.path)`", key.summary, key.values.words, "`\(standard)`"]
            }
            try GeneratedTable(page: Page("docs/configuration.md"), name: name, rows: rows).check()
        }
    }
}
