import Text

/// A folder of files with front matter. Each source has its own folder. Articles of a source that is a folder keep
/// their paths; other articles are named by their slugs.
struct MarkdownExport: ExportWriter {
    let export: Export
    let folder: NewFolder
    private var names = FileNames()
    /// The folder of each source.
    private var folders: [Source.ID: String] = [:]
    /// The sources whose keys are paths.
    private let withPaths: Set<Source.ID>

    init(export: Export, folder: NewFolder) {
        self.export = export
        self.folder = folder
        withPaths = Set(export.sources.lazy.filter { $0.kind == .folder }.map(\.id))
    }

    mutating func begin() throws {
        let name = names.take(file: SourcesFile.name)
        try folder.write(name, SourcesFile.text(export.sources) + "\n")
    }

    mutating func add(_ article: Article, marks: JSON?) throws {
        let path = names.take(
            file: folderName(of: article.source) + "/" + self.path(of: article), key: article.key.text)
        try folder.write(path, ArticleMarkdown.text(of: article, marks: marks))
    }

    func end(_ check: () throws -> Void) {}

    private mutating func folderName(of source: SourceReference) -> String {
        if let name = folders[source.id] { return name }
        let name = names.take(folder: FileNames.safe(source.name), key: source.uid.description)
        folders[source.id] = name
        return name
    }

    /// The path of the article's file in the folder of its source.
    private func path(of article: Article) -> String {
        let key = article.key.text
        guard withPaths.contains(article.source.id), let format = ImportFormat(fileName: key),
            let dot = key.lastIndex(of: ".")
        else { return FileNames.safe(article.slug) + article.format.fileEnding }
        // Keep the extension of the original file if it matches the format.
        let path = format == article.format.importFormat ? key : key[..<dot] + article.format.fileEnding
        return path.split(separator: "/").map { FileNames.safe(String($0)) }.joined(separator: "/")
    }
}

extension Article.Format {
    /// The file extension of the format.
    fileprivate var fileEnding: String {
        switch self {
        case .markdown: ".md"
        case .html: ".html"
        case .plain: ".txt"
        }
    }

    fileprivate var importFormat: ImportFormat {
        switch self {
        case .markdown: .markdown
        case .html: .html
        case .plain: .text
        }
    }
}
