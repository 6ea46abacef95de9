import ArticleStore
import Synchronization

/// The lists that users have requested since the last change of the library, with their marks and the sidebar, and all
/// authors and tags. Reading them takes a quarter of the time of a page, and half of the time of the page of all lists.
///
/// A view is current as long as the version of the library is the one before it was read: a change in this process or
/// another makes another version.
final class RecentViews: Sendable {
    private struct Key: Hashable {
        let parts: ReadingParts
        let user: Int64

        init(_ parts: ReadingParts, of user: Int64) {
            self.parts = ReadingParts(list: parts.list, sources: parts.sources)
            self.user = user
        }
    }

    private struct State {
        /// The version to which all views belong.
        var version: Int64?
        var views: [Key: ReadingView] = [:]
        /// The number of articles and sources in all views.
        var rows = 0
        var labels: [ArticleLabel.Kind: [ArticleLabel]] = [:]
    }

    private let state = Mutex(State())
    private let maximum: Int
    /// The maximum number of authors and of tags. Each takes about 100 bytes.
    private let maximumLabels = 50_000

    /// - Parameter maximum: the maximum number of articles and sources in all views. Each takes about 1 KB.
    init(maximum: Int = 5_000) { self.maximum = maximum }

    /// Returns the parts of a page except for the article, if they were read at this version.
    func view(_ parts: ReadingParts, of user: Int64, at version: Int64) -> ReadingView? {
        state.withLock { $0.version == version ? $0.views[Key(parts, of: user)] : nil }
    }

    /// Saves the parts of a page except for the article. The version must have been read before them.
    func save(_ view: ReadingView, _ parts: ReadingParts, of user: Int64, at version: Int64) {
        let count = (view.page?.summaries.count ?? 0) + (view.outline?.sources.count ?? 0)
        state.withLock { state in
            // Views of another version are not current, or will not be for long.
            if state.version != version || state.rows + count > maximum { state = State(version: version) }
            guard count <= maximum, state.views.updateValue(view, forKey: Key(parts, of: user)) == nil else { return }
            state.rows += count
        }
    }

    /// Returns all authors or all tags, if they were read at this version.
    func labels(_ kind: ArticleLabel.Kind, at version: Int64) -> [ArticleLabel]? {
        state.withLock { $0.version == version ? $0.labels[kind] : nil }
    }

    /// Saves all authors or all tags. The version must have been read before them.
    func save(_ labels: [ArticleLabel], _ kind: ArticleLabel.Kind, at version: Int64) {
        guard labels.count <= maximumLabels else { return }
        state.withLock { state in
            if state.version != version { state = State(version: version) }
            state.labels[kind] = labels
        }
    }
}
