package import Markup

extension Article {
    /// The maximum length of the address of a picture, in bytes.
    private static let longestPictureAddress = 2_048

    /// The absolute web addresses of the pictures in the text, each once, in their order.
    ///
    /// - Parameter count: the maximum number.
    package func pictureAddresses(upTo count: Int) -> [String] {
        var addresses: [String] = []
        var known: Set<String> = []
        _ = resolvedDocument.mappingInlines { inline in
            if case .image(let source, _) = inline, source.utf8.count <= Self.longestPictureAddress,
                !source.utf8.contains(where: { $0 < 0x20 }),
                ["http", "https"].contains(URLReference(source).scheme?.lowercased()), known.insert(source).inserted
            {
                addresses.append(source)
            }
            return inline
        }
        return Array(addresses.prefix(count))
    }
}

extension MarkupDocument {
    /// Returns the document with other addresses of pictures.
    ///
    /// - Parameter addresses: the new addresses by the absolute addresses in the document.
    package func replacingPictures(_ addresses: [String: String]) -> MarkupDocument {
        if addresses.isEmpty { return self }
        return mappingInlines { inline in
            guard case .image(let source, let alternative) = inline, let address = addresses[source] else {
                return inline
            }
            return .image(source: address, alternative: alternative)
        }
    }
}

extension PictureRepository {
    /// Returns the stored pictures of an article.
    package func pictures(of article: Int64) async throws -> ArticlePictures {
        try await pictures(of: [article])[article] ?? [:]
    }
}
