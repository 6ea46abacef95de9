public import Foundation

/// A copy of a library and of its reader's marks in a file, to read and mark without a connection.
///
/// What is marked here is kept until a server has it; where the same was marked elsewhere too, what was done last holds. The file is
/// written anew as a whole, which suits some thousands of articles.
///
/// ```swift
/// let library = try OfflineLibrary(file: file)
/// try await library.star(42, true, at: .now)
/// try await library.sync(with: client)
/// ```
public actor OfflineLibrary {
    /// What a synchronisation brought.
    public struct Report: Sendable, Hashable {
        /// How many articles came or changed.
        public var articles = 0
        /// How many articles are gone.
        public var gone = 0
        /// Of how many articles marks came from elsewhere.
        public var marks = 0
        /// Of how many articles marks were told to the server.
        public var told = 0
        /// Whether everything was read anew, because the library came back from a backup.
        public var isAnew = false
    }

    private struct Contents: Codable {
        var articles: [Int64: Article] = [:]
        var marks: [Int64: MarkRecord] = [:]
        /// What was marked here and the server does not know yet.
        var pending: [Int64: MarkRecord] = [:]
        var allRead: Changes.AllRead?
        var position: String?
    }

    private let file: URL
    private var contents: Contents

    /// The copy in a file; an empty one where there is no file yet.
    ///
    /// - Throws: what reading throws, and `DecodingError` for a file that holds something else.
    public init(file: URL) throws {
        self.file = file
        guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
            contents = Contents()
            return
        }
        contents = try JSONDecoder().decode(Contents.self, from: Data(contentsOf: file))
    }

    /// The articles, the newest first.
    public var articles: [Article] {
        contents.articles.values.sorted { ($1.published, $1.id) < ($0.published, $0.id) }
    }

    /// The article of a number; nil where it is not in the copy.
    public func article(_ id: Int64) -> Article? { contents.articles[id] }

    /// What an article is marked with, here or elsewhere.
    public func marks(of id: Int64) -> Marks {
        let (known, own) = (contents.marks[id], contents.pending[id])
        var marks = Marks()
        marks.read = own?.read?.value ?? known?.read?.value ?? (id <= contents.allRead?.upTo ?? 0)
        marks.starred = own?.starred?.value ?? known?.starred?.value ?? false
        marks.later = own?.later?.value ?? known?.later?.value ?? false
        marks.note = own?.note.map(\.value) ?? known?.note?.value
        let removed = Set(own?.removedTags?.map(\.value) ?? [])
        let given = (known?.tags?.map(\.value) ?? []) + (own?.tags?.map(\.value) ?? [])
        marks.tags = Set(given).subtracting(removed).sorted()
        return marks
    }

    /// Whether something was marked here that no server knows.
    public var hasPending: Bool { !contents.pending.isEmpty }

    /// Marks an article as read, or as not.
    public func read(_ id: Int64, _ isRead: Bool, at time: Date) throws {
        try mark(id) { $0.read = Changed(isRead, at: time) }
    }

    /// Gives an article a star, or takes it away.
    public func star(_ id: Int64, _ isStarred: Bool, at time: Date) throws {
        try mark(id) { $0.starred = Changed(isStarred, at: time) }
    }

    /// Puts an article aside for later, or not any more.
    public func later(_ id: Int64, _ isLater: Bool, at time: Date) throws {
        try mark(id) { $0.later = Changed(isLater, at: time) }
    }

    /// Writes a note on an article, or takes it away.
    public func note(_ id: Int64, _ note: String?, at time: Date) throws {
        try mark(id) { $0.note = Changed(note, at: time) }
    }

    /// Gives an article a tag, or takes it away.
    public func tag(_ id: Int64, _ tag: String, _ isSet: Bool, at time: Date) throws {
        try mark(id) { record in
            record.tags = (record.tags ?? []).filter { $0.value != tag } + (isSet ? [Changed(tag, at: time)] : [])
            record.removedTags =
                (record.removedTags ?? []).filter { $0.value != tag } + (isSet ? [] : [Changed(tag, at: time)])
        }
    }

    private func mark(_ id: Int64, _ change: (inout MarkRecord) -> Void) throws {
        var record = contents.pending[id] ?? MarkRecord(article: id)
        change(&record)
        contents.pending[id] = record
        try save()
    }

    /// Tells a server what was marked here, and takes over what is there. Where it fails, nothing is lost, and the next time goes
    /// on where this one ended.
    ///
    /// - Throws: as ``LibraryClient`` does, and what writing the file throws.
    @discardableResult
    public func sync(with client: LibraryClient) async throws -> Report {
        var report = Report()
        while !contents.pending.isEmpty {
            let some = contents.pending.sorted { $0.key < $1.key }.prefix(500)
            try await client.merge(some.map(\.value))
            // What was marked meanwhile stays.
            for (id, record) in some where contents.pending[id] == record { contents.pending[id] = nil }
            report.told += some.count
            try save()
        }
        var goesOn = true
        while goesOn {
            do {
                let changes = try await client.changes(since: contents.position)
                take(changes, &report)
                goesOn = changes.more
            } catch ClientError.anotherLibrary where contents.position != nil {
                let pending = contents.pending
                contents = Contents()
                contents.pending = pending
                report = Report(told: report.told, isAnew: true)
            }
            try save()
        }
        return report
    }

    private func take(_ changes: Changes, _ report: inout Report) {
        for article in changes.articles { contents.articles[article.id] = article }
        for id in changes.gone {
            contents.articles[id] = nil
            contents.marks[id] = nil
        }
        // That everything is read, or is not, goes before what was said of one article earlier.
        if let all = changes.allRead, all.changed != contents.allRead?.changed {
            for (id, record) in contents.marks where record.read?.changed ?? .distantPast < all.changed {
                contents.marks[id]?.read = nil
            }
        }
        contents.allRead = changes.allRead
        for record in changes.marks { contents.marks[record.article] = record }
        contents.position = changes.next
        report.articles += changes.articles.count
        report.gone += changes.gone.count
        report.marks += changes.marks.count
    }

    private func save() throws { try JSONEncoder().encode(contents).write(to: file, options: .atomic) }
}

extension OfflineLibrary.Report {
    fileprivate init(told: Int, isAnew: Bool) {
        self.init()
        (self.told, self.isAnew) = (told, isAnew)
    }
}
