public import ArticleStore
import Text

/// A folder of files with front matter. Each source has its own folder, and the pictures have one. Articles of a source that is a folder keep
/// their paths; other articles are named by their slugs.
struct MarkdownExport: ExportWriter {
    let export: Export
    let folder: NewFolder
    private var names = FileNames()
    private var pictures: PictureFiles
    /// The folder of each source.
    private var folders: [Source.ID: String] = [:]
    /// The sources whose keys are paths.
    private let withPaths: Set<Source.ID>

    init(export: Export, folder: NewFolder) {
        self.export = export
        self.folder = folder
        pictures = PictureFiles(export: export, folder: folder)
        withPaths = Set(export.sources.lazy.filter { $0.kind == .folder }.map(\.id))
    }

    mutating func begin() throws {
        let name = names.insert(file: SourcesFile.name)
        if export.pictures != nil { _ = names.insert(folder: PictureFiles.folderName, key: "") }
        try folder.write(name, SourcesFile.text(export.sources) + "\n")
    }

    mutating func add(_ exported: ExportedArticle) async throws {
        let article = exported.article
        let path = names.insert(
            file: folderName(of: article.source) + "/" + self.path(of: article), key: article.key.text)
        try folder.write(
            path, ArticleMarkdown.text(of: exported, pictures: try await pictures.write(exported.pictures)))
    }

    func end(_ check: () throws -> Void) {}

    private mutating func folderName(of source: SourceReference) -> String {
        if let name = folders[source.id] { return name }
        let name = names.insert(folder: FileNames.safe(source.name), key: source.uid.description)
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

/// Articles as files: front matter in YAML, followed by the text in the format of the article. An import reads such a
/// file as exactly the same article.
public enum ArticleMarkdown {
    /// Returns the article as a file.
    ///
    /// The front matter omits `summary` and `readingMinutes` if they can be derived from the text, so that they change
    /// with it when the file is edited, and `sources` if the article has only one. An import identifies the article by
    /// `source`, `key`, and `sourceID`. Other data comes last, each item under its own key, or under `extra` if the key
    /// has a meaning here. The line that closes the front matter is followed by an empty line and the text.
    public static func text(of article: Article) -> String {
        text(of: ExportedArticle(article: article), pictures: [:])
    }

    /// Returns the article as a file, with a user's marks as `marks`, and the files of its pictures as `pictures`. The text
    /// stays as it is, so that an import reads the same article.
    ///
    /// - Parameter pictures: the paths in the folder of the export by the addresses of the pictures.
    static func text(of exported: ExportedArticle, pictures: [String: String]) -> String {
        let article = exported.article
        var yaml = YAMLWriter()
        for member in article.frontMatter(marks: exported.marks, pictures: pictures) {
            switch (LibraryKey(rawValue: member.key), member.value) {
            // Unquoted, as a timestamp of YAML. It contains only digits and signs.
            case (.published, .string(let time)), (.updated, .string(let time)): yaml.member(member.key, raw: time)
            case (.sourceID, .string(let id)): yaml.member(member.key, raw: "\"\(id)\"")
            default: yaml.member(member.key, member.value)
            }
        }
        return "---\n\(yaml.text)---\n\n\(article.body)"
    }
}
