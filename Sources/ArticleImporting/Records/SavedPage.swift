package import ArticleStore
import Markup
import Text

/// A page of the web that becomes an article.
package struct SavedPage: Sendable {
    /// The reason why a page is not an article.
    package enum Failure: Error, Hashable, Sendable {
        /// The page does not have a main text.
        case noText
        /// The page only asks for a password.
        case needsLogin
        /// The page is too large for the parser, or nested too deeply.
        case unreadable
    }

    /// The article. Its key is its address.
    package let draft: ArticleDraft

    /// Reads a page: its metadata as in a file, and its main text by ``MainText``.
    ///
    /// - Parameters:
    ///   - bytes: The page.
    ///   - encoding: The encoding that the server stated.
    ///   - address: The address that delivered it.
    /// - Throws: ``Failure``.
    package init(_ bytes: [UInt8], encoding: String?, from address: String) throws(Failure) {
        // The parser ignores a second document type. Without the first one, a page with a long comment at the start is
        // not recognized.
        let html = "<!doctype html>" + Self.text(bytes, encoding: encoding)
        guard let page = WebPage(html) else { throw .unreadable }
        let fetched = page.fetched(html, from: address)
        if page.asksForPassword, fetched?.length ?? 0 < Self.formLength { throw .needsLogin }
        guard let fetched else { throw .noText }
        guard
            case .draft(var draft, _)? = try? ArticleFields.outcome(
                of: fetched.file, format: .html, in: .none, options: ImportOptions(includesDrafts: true))
        else { throw .noText }
        draft.key = ExactText(draft.sourceURL ?? address)
        self.draft = draft
    }

    /// The number of characters that the text around a login form has at most.
    private static let formLength = 500

    /// Returns the text of a page. The encoding is that of the byte order mark, else that of the server, else the one that
    /// the page declares, else UTF-8. Bytes that are not UTF-8 are read as windows-1252, as browsers do.
    private static func text(_ bytes: [UInt8], encoding: String?) -> String {
        let reader =
            (try? ByteReader(bytes).decoded(as: encoding, mayBeHTML: true))
            ?? (try? ByteReader(bytes).decoded(as: nil, mayBeHTML: true)) ?? ByteReader(bytes)
        let decoded = reader.allBytes()
        if let text = String(validating: decoded, as: UTF8.self) { return text }
        guard reader.encoding == nil, let mixed = try? ByteReader(decoded).decoded(as: .utf8AmongWindows1252) else {
            return String(decoding: decoded, as: UTF8.self)
        }
        return String(decoding: mixed.allBytes(), as: UTF8.self)
    }
}

extension ByteReader {
    /// Reads bytes in memory.
    convenience init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        self.init { buffer in
            let part = rest.prefix(buffer.count)
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
    }

    /// Returns all bytes up to the end, or up to an error.
    fileprivate func allBytes() -> [UInt8] {
        while (try? fill()) == true {}
        return withBytes { Array($0) }
    }
}
