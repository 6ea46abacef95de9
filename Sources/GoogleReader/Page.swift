import ArticleStore
import LibraryServices

/// A page of a list of articles, and the position of the next page.
struct Page {
    /// The numbers of the articles.
    var numbers: [Int64] = []
    /// The value that the client sends as `c` to get the next page; nil at the end.
    var continuation: String?
}

extension GoogleReader {
    /// Returns a page ordered by arrival, the latest article first unless the client asked for the oldest. Clients
    /// remember the time of the first article, and ask next time for those that arrived later.
    func page(of selection: Selection, after continuation: String?, count: Int) async throws(ReaderError) -> Page {
        var selection = selection
        if let continuation, !continuation.isEmpty {
            guard let last = Int64(continuation), last > 0, last < .max, String(last) == continuation else {
                throw .unknownContinuation
            }
            if selection.isOldestFirst { selection.begin(at: last + 1) } else { selection.end(before: last) }
        }
        guard let query = selection.query else { return Page() }
        let latestFirst = !selection.isOldestFirst
        // Ask for one more than the page shows, to know whether the list continues.
        let numbers = try await ReaderError.catching {
            try await services.articles.numbers(of: query, latestFirst: latestFirst, limit: count + 1)
        }
        let page = Array(numbers.prefix(count))
        return Page(numbers: page, continuation: numbers.count > count ? page.last.map(String.init) : nil)
    }

    /// Returns a page of one feed, ordered by date of publication. When a whole feed is imported at once, its articles
    /// may arrive with the newest first, and a client that asks for few articles wants the newest.
    func pageByDate(of selection: Selection, after continuation: String?, count: Int) async throws(ReaderError) -> Page
    {
        guard var query = selection.query else { return Page() }
        query.sort = selection.isOldestFirst ? .oldest : .newest
        var cursor: Cursor?
        if let continuation, !continuation.isEmpty {
            do throws(CursorError) { cursor = try Cursor(continuation) } catch { throw .unknownContinuation }
        }
        let (wanted, start) = (query, cursor)
        let list = try await ReaderError.catching {
            try await services.articles.list(wanted, after: start, limit: count)
        }
        return Page(numbers: list.summaries.map(\.id), continuation: list.next?.description)
    }

    /// Returns a page of whole articles.
    func pageOfContents(of selection: Selection, _ parameters: Parameters) async throws(ReaderError) -> Page {
        let count = try parameters.count(upTo: 1_000)
        return selection.isFeed
            ? try await pageByDate(of: selection, after: parameters["c"], count: count)
            : try await page(of: selection, after: parameters["c"], count: count)
    }
}

extension ReaderError {
    static let unknownContinuation = badRequest("c is not a continuation of this list; start again without it")
}
