internal import ArticleStore
internal import FlowCoordinators
internal import Synchronization

/// A cache of the safe HTML of texts that were shown recently. Rendering a text takes about half as long as the rest of
/// a page.
///
/// The key of a text contains everything that its HTML depends on, so an entry is never outdated. Texts that were not
/// requested while half of the cache was filled are removed.
final class RenderedTexts: Sendable {
    /// The key: everything on which the HTML of a text depends.
    struct Source: Equatable {
        let body: String
        let format: Article.Format
        let base: String?
        let address: String?
        let images: WebFrontSettings.Images
        let pictures: [String: String]
        /// The address of the page, which is part of the links in the text.
        let page: String

        init(
            _ document: Document, images: WebFrontSettings.Images, pictures: [String: String] = [:],
            on page: PlaceAddress
        ) {
            body = document.body
            format = document.format
            base = document.base
            address = document.address
            (self.images, self.pictures) = (images, pictures)
            self.page = page.text
        }
    }

    private struct Rendered {
        let source: Source
        let html: HTML

        /// The approximate size in bytes.
        var size: Int {
            let texts = [source.page, source.body, source.base ?? "", source.address ?? ""]
            let pictures = source.pictures.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
            return texts.reduce(html.size + pictures + 512) { $0 + $1.utf8.count }
        }
    }

    /// The entries by the address of their page, at which there is rarely more than one text.
    private struct Kept {
        var recent: [String: Rendered] = [:]
        var older: [String: Rendered] = [:]
        /// The size of the recent entries in bytes.
        var size = 0
    }

    private let room: Int
    private let kept = Mutex(Kept())

    /// - Parameter room: the maximum size in bytes.
    init(room: Int = 32 << 20) { self.room = room }

    /// Returns the HTML of a text from the cache, or renders it.
    func html(of source: Source, _ make: () -> HTML) -> HTML {
        if let html = find(source) { return html }
        let made = Rendered(source: source, html: make())
        kept.withLock { store(made, in: &$0) }
        return made.html
    }

    private func find(_ source: Source) -> HTML? {
        kept.withLock { kept in
            if let found = kept.recent[source.page], found.source == source { return found.html }
            guard let found = kept.older.removeValue(forKey: source.page), found.source == source else { return nil }
            store(found, in: &kept)
            return found.html
        }
    }

    private func store(_ rendered: Rendered, in kept: inout Kept) {
        guard rendered.size <= room / 2 else { return }
        if kept.size + rendered.size > room / 2 {
            kept.older = kept.recent
            kept.recent = [:]
            kept.size = 0
        }
        kept.size += rendered.size - (kept.recent.updateValue(rendered, forKey: rendered.source.page)?.size ?? 0)
    }
}
