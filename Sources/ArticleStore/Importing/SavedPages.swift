import Platform

/// The pages in a folder that may have been saved by a browser, which puts what belongs to a page into a folder beside it.
struct SavedPages {
    private let pages: Set<String>

    /// - Parameter names: those in the folder, each with the 0 that ends it.
    init(_ names: [[CChar]]) {
        let names = names.map { FilePath(name: $0).name }
        let isAny = names.contains { name in Self.endings.contains { name.hasSuffix($0) } }
        pages = isAny ? Set(names.compactMap(Self.page)) : []
    }

    /// Whether a folder is that of a page.
    func haveFolder(_ name: String) -> Bool {
        !pages.isEmpty
            && Self.endings.contains { name.hasSuffix($0) && pages.contains(String(name.dropLast($0.count))) }
    }

    private static func page(_ name: String) -> String? {
        for ending in [".html", ".htm", ".xhtml"] where name.lowercased().hasSuffix(ending) {
            return String(name.dropLast(ending.count))
        }
        return nil
    }

    /// What browsers add to the name of a page: Firefox does it in the language of who uses it.
    private static let endings = [
        "_files", ".files", "-Dateien", "_fichiers", "_archivos", "_arquivos", "_ficheiros", "_file", "_bestanden",
        "_pliki", "-filer", "_soubory",
    ]
}
