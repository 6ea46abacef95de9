import ArticleStore
import Synchronization

/// The lists that users have requested since the last change of the library, with their marks and the sidebar. Reading
/// them takes a quarter of the time of a page.
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
    }

    private let state = Mutex(State())
    private let maximum: Int

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
}
