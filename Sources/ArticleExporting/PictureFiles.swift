import ArticleStore

/// Writes the pictures of articles into the folder `pictures` of an export, each once.
struct PictureFiles {
    /// The name of the folder.
    static let folderName = "pictures"

    private let pictures: (any PictureRepository)?
    private let folder: NewFolder
    private var written: Set<PictureUID> = []

    init(export: Export, folder: NewFolder) { (pictures, self.folder) = (export.pictures, folder) }

    /// Writes the pictures of an article that are not written yet.
    ///
    /// - Returns: the paths in the folder of the export by the addresses of the pictures.
    mutating func write(_ found: ArticlePictures) async throws -> [String: String] {
        var paths: [String: String] = [:]
        for (address, picture) in found.sorted(by: { $0.key < $1.key }) {
            let path = "\(Self.folderName)/\(picture.uid).\(picture.type.fileEnding)"
            if !written.contains(picture.uid) {
                // An article that was deleted in the meantime has taken its pictures along.
                guard let content = try await pictures?.picture(picture.uid) else { continue }
                try folder.write(path, bytes: content.bytes)
                written.insert(picture.uid)
            }
            paths[address] = path
        }
        return paths
    }
}
