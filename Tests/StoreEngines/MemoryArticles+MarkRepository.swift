public import ArticleStore
public import Foundation
import Synchronization
import Text

extension MemoryArticles: MarkRepository {
    /// Returns the marks of a user by article.
    func marks(by user: Int64) -> [Int64: ArticleMarks] {
        isReader(user) ? marks.withLock { $0[user] ?? [:] } : [:]
    }

    /// Returns a user's marks of articles. See `MarkRepository`.
    public func marks(of articles: [Int64], by user: Int64) async throws -> [Int64: ArticleMarks] {
        let (marks, everything) = (marks(by: user), everything)
        return Dictionary(
            articles.filter { everything[$0] != nil }.map { ($0, marks[$0] ?? ArticleMarks()) }
        ) { first, _ in first }
    }

    /// Returns the articles that a user has marked. See `MarkRepository`.
    public func markedArticles(by user: Int64, after article: Int64, limit: Int) async throws -> [Int64] {
        let everything = everything
        let marked = marks(by: user).keys.filter { everything[$0] != nil && $0 > article }
        return Array(marked.sorted().prefix(limit))
    }

    /// Changes the marks of articles. See `MarkRepository`.
    @discardableResult
    public func change(
        _ changes: [MarkChange], of articles: ArticleSelection, by user: Int64, at time: Date
    ) async throws -> Int {
        let selected: [Int64]? =
            switch articles {
            case .ids(let ids): ids
            case .query(let query) where !query.isOfAll: entries(query).map(\.article.id)
            case .query, .all: nil
            }
        let allRead = changes.contains { if case .read = $0 { selected == nil } else { false } }
        let time = allRead ? allReadTimes.withLock { max(time, $0[user]?.addingTimeInterval(1) ?? time) } : time
        let count = try make(of: user, at: time, on: { Set(selected ?? Array($0.keys)) }, as: { _ in changes })
        if allRead, count > 0 { allReadTimes.withLock { $0[user] = time } }
        return count
    }

    /// Changes the marks of an article depending on its marks. See `MarkRepository`.
    @discardableResult
    public func change(
        _ article: Int64, by user: Int64, at time: Date, as changes: (ArticleMarks) throws -> [MarkChange]
    ) async throws -> Int {
        try make(of: user, at: time, on: { _ in [article] }) { try changes($0[article] ?? ArticleMarks()) }
    }

    private func make(
        of user: Int64, at time: Date, on articles: ([Int64: Article]) -> Set<Int64>,
        as changes: ([Int64: ArticleMarks]) throws -> [MarkChange]
    ) throws -> Int {
        let everything = everything
        let numbers = articles(everything).filter { everything[$0] != nil }
        guard isReader(user), !numbers.isEmpty else { return 0 }
        return try marks.withLock { marks in
            let before = marks[user] ?? [:]
            var (now, count) = (before, 0)
            for step in try changes(before).steps {
                try check(step.change, of: numbers, in: now, everything)
                let affected = numbers.count { now[$0, default: ArticleMarks()].make(step.change, at: time) }
                if step.counts { count += affected }
            }
            marks[user] = now
            log.withLock { $0.note(before, now, of: user) }
            return count
        }
    }

    /// - Throws: `MarkError` if the articles cannot have this mark.
    private func check(
        _ change: MarkChange, of numbers: Set<Int64>, in marks: [Int64: ArticleMarks], _ everything: [Int64: Article]
    ) throws(MarkError) {
        if case .note(let text?) = change, text.unicodeScalars.count > MarkError.longestNote { throw .noteIsTooLong }
        guard let tag = change.givenTag else { return }
        let others = numbers.compactMap { marks[$0]?.tags ?? [] }.filter { !$0.contains { $0.value == tag } }
        guard !others.isEmpty else { return }
        guard ownTags(in: marks, everything).tagsBeyondLimit(adding: [tag]).isEmpty else { throw .tooManyOwnTags }
        guard others.allSatisfy({ $0.count < MarkError.mostTags }) else { throw .tooManyTags }
    }

    /// Returns all tags of a user.
    private func ownTags(in marks: [Int64: ArticleMarks]?, _ everything: [Int64: Article]) -> Set<TagName> {
        Set((marks ?? [:]).filter { everything[$0.key] != nil }.values.flatMap { $0.tags.map(\.value) })
    }

    /// Merges marks of another device. See `MarkRepository`.
    @discardableResult
    public func merge(_ others: [Int64: ArticleMarks], by user: Int64, at now: Date) async throws -> MarkMerge {
        guard isReader(user) else { return MarkMerge() }
        let everything = everything
        return marks.withLock { marks in
            var merge = MarkMerge()
            merge.missing = others.keys.filter { everything[$0] == nil }.sorted()
            let before = marks[user] ?? [:]
            defer { log.withLock { $0.note(before, marks[user] ?? [:], of: user) } }
            let found = others.filter { everything[$0.key] != nil }.map { article, others in
                (article, changes: (before[article] ?? ArticleMarks()).changes(to: others, now: now))
            }
            var changed: Set<Int64> = []
            func make(_ change: ArticleMarks.TimedChange, _ article: Int64) {
                marks[user, default: [:]][article, default: ArticleMarks()].make(change.change, at: change.time)
                changed.insert(article)
            }
            // Remove tags first: they make room for those that are added.
            for (article, found) in found {
                for change in found.changes where change.change.givenTag == nil { make(change, article) }
            }
            let given = found.flatMap { $0.changes.changes.compactMap(\.change.givenTag) }
            let leftOut = ownTags(in: marks[user], everything).tagsBeyondLimit(adding: given)
            for (article, found) in found {
                for change in found.changes {
                    guard let tag = change.change.givenTag else { continue }
                    if leftOut.contains(tag) { merge.tagsLeftOut += 1 } else { make(change, article) }
                }
                for (change, time) in found.confirmed {
                    marks[user, default: [:]][article, default: ArticleMarks()].confirm(change, at: time)
                }
                merge.tagsLeftOut += found.tagsLeftOut
            }
            merge.articles = changed.count
            return merge
        }
    }

    /// Returns the number of articles that a user has marked. See `MarkRepository`.
    public func counts(of user: Int64) async throws -> MarkCounts {
        let (marks, everything) = (marks(by: user), everything)
        let known = marks.filter { everything[$0.key] != nil }.map(\.value)
        var counts = MarkCounts()
        counts.unread = everything.count - known.count { $0.read.value }
        counts.starred = known.count { $0.starred.value }
        counts.later = known.count { $0.later.value }
        counts.noted = known.count { $0.note.value != nil }
        counts.hidden = known.count { $0.hidden.value }
        let tags = Dictionary(grouping: known.flatMap(\.tags).map(\.value)) { $0.key }
        counts.tags = tags.sorted { $0.key < $1.key }.compactMap { tag in
            tag.value.first.map { .init($0, articles: tag.value.count) }
        }
        return counts
    }

    /// Returns the parts of a page. See `ArticleRepository`.
    public func view(_ parts: ReadingParts, of user: Int64) async throws -> ReadingView {
        var view = ReadingView()
        if let list = parts.list {
            view.page = try await self.list(list.query, after: list.cursor, limit: list.limit, counts: list.counts)
        }
        if let article = parts.article { view.article = try await self.article(article) }
        let ids = (view.page?.summaries.map(\.id) ?? []) + (view.article.map { [$0.id] } ?? [])
        view.marks = try await marks(of: ids, by: user)
        if let limit = parts.sources { view.outline = try await outline(of: user, sources: limit) }
        return view
    }

    private func outline(of user: Int64, sources limit: Int) async throws -> ReadingOutline {
        let (counts, read) = (try await counts(of: user), try await readCounts(of: user).sources)
        let starred = marks(by: user).filter { everything[$0.key] != nil && $0.value.starred.value }
        let articles = try await articleCounts()
        let sources = try await sources().sorted { FoldedKey.fold($0.name) < FoldedKey.fold($1.name) }.prefix(limit)
        return ReadingOutline(
            unread: counts.unread, unreadStarred: starred.values.count { !$0.read.value },
            searches: try await savedSearches(of: user),
            sources: sources.map { source in
                ReadingOutline.Source(source.name, unread: (articles[source.id] ?? 0) - (read[source.id] ?? 0))
            })
    }

    /// Returns the number of unread articles with each of the user's tags. See `MarkRepository`.
    public func tagProgress(of user: Int64) async throws -> [TagProgress] {
        let (marks, everything) = (marks(by: user), everything)
        let known = marks.filter { everything[$0.key] != nil }
        return try await counts(of: user).tags.map { tag in
            let tagged = known.filter { $0.value.tags.contains { $0.value == tag.tag } }
            return TagProgress(
                tag.tag, unread: tagged.values.count { !$0.read.value }, newest: tagged.keys.max() ?? 0)
        }
    }

    /// Returns the numbers of read articles of each source, author, and tag. See `MarkRepository`.
    public func readCounts(of user: Int64) async throws -> ReadCounts {
        var counts = ReadCounts()
        let marks = marks(by: user)
        for (id, article) in everything where marks[id]?.read.value == true {
            for source in article.sourceIDs { counts.sources[source, default: 0] += 1 }
            for author in article.authors { counts.authors[SearchText.fold(author), default: 0] += 1 }
            for tag in article.tags { counts.tags[SearchText.fold(tag), default: 0] += 1 }
        }
        return counts
    }

    /// Returns the number of articles that a user read on each day. See `MarkRepository`.
    public func readDays(of user: Int64) async throws -> [Int: Int] {
        var days: [Int: Int] = [:]
        for marks in marks(by: user).values where marks.read.value {
            if let time = marks.read.changed { days[Int(time.timeIntervalSince1970) / 86_400, default: 0] += 1 }
        }
        return days
    }
}

extension ArticleMarks {
    /// Makes a change, and returns whether the mark differs.
    @discardableResult
    fileprivate mutating func make(_ change: MarkChange, at time: Date) -> Bool {
        let before = self
        switch change {
        case .read(let value): read.set(value, time)
        case .starred(let value): starred.set(value, time)
        case .later(let value): later.set(value, time)
        case .hidden(let value): hidden.set(value, time)
        case .note(let value): note.set(value.flatMap { $0.isEmpty ? nil : $0 }, time)
        case .readingPosition(let value): readingPosition.set(value, time)
        case .tag(let tag, let isSet):
            if isSet, !tags.contains(where: { $0.value == tag }) {
                tags.append(.init(tag, changed: time))
                tags.sort { $0.value.key < $1.value.key }
                removedTags.removeAll { $0.value == tag }
            } else if !isSet, tags.contains(where: { $0.value == tag }) {
                tags.removeAll { $0.value == tag }
                removedTags.append(.init(tag, changed: time))
                removedTags.sort { $0.value.key < $1.value.key }
            }
        }
        return self != before
    }
}

extension ArticleMarks {
    /// Records that the current value was set again.
    fileprivate mutating func confirm(_ change: MarkChange, at time: Date) {
        func confirm(_ tags: inout [Mark<TagName>], _ tag: TagName) {
            for index in tags.indices where tags[index].value == tag { tags[index].changed = time }
        }
        switch change {
        case .read: read.changed = time
        case .starred: starred.changed = time
        case .later: later.changed = time
        case .hidden: hidden.changed = time
        case .note: note.changed = time
        case .readingPosition: readingPosition.changed = time
        case .tag(let tag, true): confirm(&tags, tag)
        case .tag(let tag, false): confirm(&removedTags, tag)
        }
    }
}

extension ArticleMarks.Mark where Value: Equatable {
    fileprivate mutating func set(_ value: Value, _ time: Date) {
        if value != self.value { self = .init(value, changed: time) }
    }
}

extension SingleMarkCondition {
    /// Returns whether an article with these marks matches.
    func holds(of marks: ArticleMarks) -> Bool {
        let isMarked =
            switch mark {
            case .read: marks.read.value
            case .starred: marks.starred.value
            case .later: marks.later.value
            case .hidden: marks.hidden.value
            case .noted: marks.note.value != nil
            case .tag(let name): marks.tags.contains { $0.value.key == SearchText.fold(name) }
            }
        return isMarked == isSet
    }
}
