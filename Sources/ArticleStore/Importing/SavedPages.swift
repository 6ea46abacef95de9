import Platform

/// The web pages in a folder that a browser may have saved. A browser puts the images and scripts of a page into a
/// folder next to it.
struct SavedPages {
    private let pages: Set<String>

    /// - Parameter names: the names in the folder, each with a terminating zero.
    init(_ names: [[CChar]]) {
        let names = names.map { FilePath(name: $0).name }
        let isAny = names.contains { name in Self.endings.contains { name.hasSuffix($0) } }
        pages = isAny ? Set(names.compactMap(Self.page)) : []
    }

    /// Whether a folder belongs to a saved page.
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

    /// The suffixes that browsers add to the name of the page. Firefox uses the language of the user.
    private static let endings = [
        "_files", ".files", "-Dateien", "_fichiers", "_archivos", "_arquivos", "_ficheiros", "_file", "_bestanden",
        "_pliki", "-filer", "_soubory",
    ]
}
