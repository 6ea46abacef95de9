public import Foundation

/// A copy of a library and of the user's marks in a file, to read and mark articles without a connection.
///
/// Marks that are set here are stored until a server has received them. If the same mark was also changed elsewhere,
/// the later change wins. Each change rewrites the whole file, which is suitable for a few thousand articles.
///
/// ```swift
/// let library = try OfflineLibrary(file: file)
/// try await library.star(42, true, at: .now)
/// try await library.sync(with: client)
/// ```
public actor OfflineLibrary {
    /// The result of a synchronization.
    public struct Report: Sendable, Hashable {
        /// The number of new and changed articles.
        public var articles = 0
        /// The number of deleted articles.
        public var deletedArticles = 0
        /// The number of articles with marks that changed elsewhere.
        public var marks = 0
        /// The number of articles whose marks were sent to the server.
        public var sentMarks = 0
        /// The marks that the server refused, and the marks of articles that no longer exist.
        public var refused: [Refused] = []
        /// Whether everything was read again because the library was restored from a backup.
        public var isFullReload = false
    }

    /// The marks of an article that the server did not accept.
    public struct Refused: Sendable, Hashable {
        /// The marks that were set here.
        public let marks: MarkRecord
        /// The reason, in words for people.
        public let reason: String
    }

    private struct Contents: Codable {
        var articles: [Int64: Article] = [:]
        var marks: [Int64: MarkRecord] = [:]
        /// The marks that were set here and that the server does not have yet.
        var pending: [Int64: MarkRecord] = [:]
        var allRead: Changes.AllRead?
        var position: String?
        /// The slugs of the articles with waiting marks, while the library is read again; otherwise nil.
        var before: [Int64: String]?
    }

    private let file: URL
    private var contents: Contents

    /// Opens the copy in a file, or creates an empty copy if the file does not exist.
    ///
    /// - Throws: an error of reading, or `DecodingError` if the file is not such a copy.
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

    /// Returns the article with a number; nil if it is not in the copy.
    public func article(_ id: Int64) -> Article? { contents.articles[id] }

    /// Returns the marks of an article, including those that were set here.
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

    /// Whether there are marks that a server has not received yet.
    public var hasPending: Bool { !contents.pending.isEmpty }

    /// Marks an article as read or unread.
    public func read(_ id: Int64, _ isRead: Bool, at time: Date) throws {
        try mark(id) { $0.read = Changed(isRead, at: time) }
    }

    /// Adds or removes the star of an article.
    public func star(_ id: Int64, _ isStarred: Bool, at time: Date) throws {
        try mark(id) { $0.starred = Changed(isStarred, at: time) }
    }

    /// Adds an article to those saved for later, or removes it.
    public func later(_ id: Int64, _ isLater: Bool, at time: Date) throws {
        try mark(id) { $0.later = Changed(isLater, at: time) }
    }

    /// Replaces the note on an article; nil removes it.
    ///
    /// - Throws: ``MarkingError/noteIsTooLong``; the errors of writing the file.
    public func setNote(_ note: String?, of id: Int64, at time: Date) throws {
        guard note?.unicodeScalars.count ?? 0 <= MarkingError.longestNote else { throw MarkingError.noteIsTooLong }
        try mark(id) { $0.note = Changed(note, at: time) }
    }

    /// Adds a tag to an article or removes it. Spaces around the tag are ignored.
    ///
    /// - Throws: ``MarkingError``; the errors of writing the file.
    public func tag(_ id: Int64, _ tag: String, _ isSet: Bool, at time: Date) throws {
        let tag = try Self.name(tag)
        if isSet { try makeSure(of: tag, on: id) }
        try mark(id) { record in
            record.tags = (record.tags ?? []).filter { $0.value != tag } + (isSet ? [Changed(tag, at: time)] : [])
            record.removedTags =
                (record.removedTags ?? []).filter { $0.value != tag } + (isSet ? [] : [Changed(tag, at: time)])
        }
    }

    /// Line ends, and characters that change the direction of text or are not visible. A server refuses them in tags.
    private static let invisible: [ClosedRange<UInt32>] = [
        0x061C...0x061C, 0x200E...0x200F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB,
        0xE0000...0xE007F,
    ]

    /// Returns the name of a tag in the form that a server accepts.
    private static func name(_ text: String) throws(MarkingError) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { $0.value > 0x20 }),
            let last = scalars.lastIndex(where: { $0.value > 0x20 })
        else { throw .noTag(text) }
        let name = scalars[first...last]
        func isSeen(_ scalar: Unicode.Scalar) -> Bool {
            // A combining accent alone is not visible.
            let isAccent = ("\u{300}"..."\u{36F}").contains(scalar)
            return !isAccent && !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isWhitespace
        }
        func isWrong(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "," || scalar.properties.generalCategory == .control
                || Self.invisible.contains { $0.contains(scalar.value) }
        }
        guard name.count <= MarkingError.longestTag, name.contains(where: isSeen), !name.contains(where: isWrong)
        else { throw .noTag(text) }
        return String(name)
    }

    /// Checks the limits. A server would silently drop the tags beyond them.
    private func makeSure(of tag: String, on id: Int64) throws(MarkingError) {
        let tags = marks(of: id).tags
        guard !tags.contains(tag) else { return }
        guard tags.count < MarkingError.mostTags else { throw .tooManyTags }
        let marked = Set(contents.marks.keys).union(contents.pending.keys)
        let own = marked.reduce(into: Set<String>()) { $0.formUnion(marks(of: $1).tags) }
        guard own.contains(tag) || own.count < MarkingError.mostOwnTags else { throw .tooManyOwnTags }
    }

    private func mark(_ id: Int64, _ change: (inout MarkRecord) -> Void) throws {
        var record = contents.pending[id] ?? MarkRecord(article: id)
        change(&record)
        contents.pending[id] = record
        try save()
    }

    /// Fetches the changes of the server, and sends the marks that were set here. If it fails, nothing is lost, and the
    /// next call continues where this one ended.
    ///
    /// The report lists the marks that the server refused, and the marks of articles that are missing from a restored
    /// library. They are deleted here, because the server would refuse them each time.
    ///
    /// - Throws: the errors of ``LibraryClient`` and of writing the file.
    @discardableResult
    public func sync(with client: LibraryClient) async throws -> Report {
        var report = Report()
        // Fetch first: after a restore, the number of a marked article may belong to another article.
        try await follow(client, &report)
        guard !contents.pending.isEmpty else { return report }
        while !contents.pending.isEmpty {
            try await send(contents.pending.values.sorted { $0.article < $1.article }.prefix(500), to: client, &report)
        }
        try await follow(client, &report)
        return report
    }

    private func follow(_ client: LibraryClient, _ report: inout Report) async throws {
        var goesOn = true
        while goesOn {
            do {
                let changes = try await client.changes(since: contents.position)
                apply(changes, &report)
                goesOn = changes.more
            } catch ClientError.anotherLibrary where contents.position != nil {
                let (pending, articles) = (contents.pending, contents.articles)
                let before = Dictionary(uniqueKeysWithValues: pending.keys.map { ($0, articles[$0]?.slug ?? "") })
                    .merging(contents.before ?? [:]) { $1 }
                contents = Contents()
                (contents.pending, contents.before) = (pending, before)
                report = Report(sentMarks: report.sentMarks, isFullReload: true)
            }
            try save()
        }
        guard let before = contents.before else { return }
        // A restored library may have given the number of a lost article to another article.
        for (id, slug) in before where contents.articles[id]?.slug ?? "" != slug {
            guard let record = contents.pending.removeValue(forKey: id) else { continue }
            report.refused.append(
                Refused(marks: record, reason: "the article was lost when the library was restored from a backup"))
        }
        contents.before = nil
        try save()
    }

    /// Sends some of the marks. If the server refuses them, sends them in smaller parts to find the marks that it
    /// refuses.
    private func send(_ some: ArraySlice<MarkRecord>, to client: LibraryClient, _ report: inout Report) async throws {
        do {
            let missing = Set(try await client.merge(Array(some)))
            report.sentMarks += some.count - missing.count
            report.refused += some.filter { missing.contains($0.article) }
                .map { Refused(marks: $0, reason: "the article does not exist anymore") }
        } catch let error as ClientError where error.isOfContent {
            guard some.count == 1 else {
                let middle = some.startIndex + some.count / 2
                try await send(some[..<middle], to: client, &report)
                return try await send(some[middle...], to: client, &report)
            }
            report.refused += some.map { Refused(marks: $0, reason: error.description) }
        }
        // Keep the marks that changed during the request.
        for record in some where contents.pending[record.article] == record { contents.pending[record.article] = nil }
        try save()
    }

    private func apply(_ changes: Changes, _ report: inout Report) {
        for article in changes.articles { contents.articles[article.id] = article }
        for id in changes.gone {
            contents.articles[id] = nil
            contents.marks[id] = nil
        }
        // A mark on all articles takes precedence over earlier marks of single articles.
        if let all = changes.allRead, all.changed != contents.allRead?.changed {
            for (id, record) in contents.marks where record.read?.changed ?? .distantPast < all.changed {
                contents.marks[id]?.read = Changed(id <= all.upTo, at: all.changed)
            }
        }
        contents.allRead = changes.allRead
        for record in changes.marks { contents.marks[record.article] = record }
        contents.position = changes.next
        report.articles += changes.articles.count
        report.deletedArticles += changes.gone.count
        report.marks += changes.marks.count
    }

    private func save() throws { try JSONEncoder().encode(contents).write(to: file, options: .atomic) }
}

extension OfflineLibrary.Report {
    fileprivate init(sentMarks: Int, isFullReload: Bool) {
        self.init()
        (self.sentMarks, self.isFullReload) = (sentMarks, isFullReload)
    }
}

extension ClientError {
    /// Whether the server would refuse the same content each time.
    fileprivate var isOfContent: Bool {
        switch self {
        case .refused(let status, _, _), .unreadable(let status): [400, 413, 422].contains(status)
        case .notLoggedIn, .anotherLibrary: false
        }
    }
}

/// The reason why an article cannot be marked. Every server would refuse the mark.
public enum MarkingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text is not a valid tag name.
    case noTag(String)
    /// The article would have more tags than the limit.
    case tooManyTags
    /// The user would have more different tags than the limit.
    case tooManyOwnTags
    /// The note is longer than the limit.
    case noteIsTooLong

    /// The maximum number of Unicode scalars in the name of a tag.
    public static let longestTag = 100
    /// The maximum number of tags on an article.
    public static let mostTags = 100
    /// The maximum number of different tags on all articles together.
    public static let mostOwnTags = 1_000
    /// The maximum number of Unicode scalars in a note.
    public static let longestNote = 65_536

    /// A sentence for people.
    public var description: String {
        switch self {
        case .noTag(let text):
            "“\(text)” is not a valid tag: use 1 to \(Self.longestTag) characters without commas and line breaks"
        case .tooManyTags: "an article can have at most \(Self.mostTags) of your tags; remove one first"
        case .tooManyOwnTags:
            "you have the maximum of \(Self.mostOwnTags) different tags; remove one from all of its articles first"
        case .noteIsTooLong: "a note can have at most \(Self.longestNote) characters"
        }
    }
}
