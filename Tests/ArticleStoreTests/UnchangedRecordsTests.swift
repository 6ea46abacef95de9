import ArticleImporting
import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing

@Suite("A long source that is imported again")
struct UnchangedRecordsTests {
    /// More than an import reads before it looks up known articles.
    private static let count = 1000
    /// A record after those.
    private static let late = 900

    private let fixture: ImportFixture

    init() throws { fixture = try ImportFixture() }

    /// The form of the source, and the argument of the import.
    enum Form: CaseIterable {
        case lines, array, folder, named, files

        var given: String { self == .lines || self == .named ? "posts.jsonl" : self == .array ? "posts.json" : "posts" }
        var options: ImportOptions { ImportOptions(source: self == .named ? "Mine" : nil) }
    }

    private func records() -> [String] {
        (0..<Self.count).map { #"{"id":"n\#($0)","title":"Title \#($0)","body":"Text \#($0)","date":"2020-01-02"}"# }
    }

    private func write(_ records: [String], as form: Form) throws {
        switch form {
        case .lines, .named: try fixture.folder.write("posts.jsonl", records.joined(separator: "\n"))
        case .array: try fixture.folder.write("posts.json", "[\(records.joined(separator: ",\n"))]")
        case .folder: try fixture.folder.write("posts/all.jsonl", records.joined(separator: "\n"))
        case .files:
            for (number, record) in records.enumerated() {
                try fixture.folder.write("posts/\(number).md", "---\n\(record)\n---\nText")
            }
        }
    }

    private func seed(_ form: Form, _ change: (inout ImportOptions) -> Void = { _ in }) async throws -> ToldReport {
        var options = form.options
        change(&options)
        return try await fixture.run(form.given, options)
    }

    private func article(titled title: String) async throws -> Article? {
        let query = ArticleQuery(sort: .title)
        for summary in try await fixture.repository.list(query, after: nil, limit: 1000).summaries
        where summary.title == title {
            return try await fixture.repository.article(id: summary.id)
        }
        return nil
    }

    @Test("Only changes are imported, in every format, in batches or in one transaction", arguments: Form.allCases)
    func changes(form: Form) async throws {
        var records = records()
        try write(records, as: form)
        #expect(try await seed(form).outcomes == [Self.count, 0, 0, 0])
        #expect(try await seed(form).outcomes == [0, 0, 0, Self.count])
        #expect(try await seed(form, { $0.isStrict = true }).outcomes == [0, 0, 0, Self.count])

        records[Self.late] = records[Self.late].replacing("Title 900", with: "Another 900")
        try write(records, as: form)
        #expect(try await seed(form, { $0.isDryRun = true }).outcomes == [0, 1, 0, Self.count - 1])
        #expect(try await seed(form).outcomes == [0, 1, 0, Self.count - 1])
        #expect(try await article(titled: "Another 900") != nil)
        #expect(try await seed(form).outcomes == [0, 0, 0, Self.count])
    }

    @Test("Articles that have left the source are noticed", arguments: [Form.lines, .array, .folder, .named])
    func mirror(form: Form) async throws {
        var records = records()
        try write(records, as: form)
        _ = try await seed(form)
        records.remove(at: Self.late)
        try write(records, as: form)
        let report = try await seed(form) { $0.mirror = .most }
        #expect(report.outcomes == [0, 0, 0, Self.count - 1])
        #expect(report.removed == 1)
        #expect(try await article(titled: "Title 900") == nil)
    }

    @Test("Local changes and deletions stay, unless they are discarded", arguments: Form.allCases)
    func edits(form: Form) async throws {
        try write(records(), as: form)
        _ = try await seed(form)
        let old = try #require(try await article(titled: "Title 900"))
        _ = try await fixture.repository.edit(old, into: ArticleDraft(title: "Edited", body: "Mine"))
        let gone = try #require(try await article(titled: "Title 901"))
        _ = try await fixture.repository.write { try $0.delete(id: gone.id, forGood: true) }
        let report = try await seed(form)
        #expect(report.outcomes == [0, 0, 0, Self.count - 1])
        #expect(report.deleted == 1)
        #expect(try await article(titled: "Edited") != nil)
        #expect(try await seed(form, { $0.overwritesEdits = true }).outcomes == [1, 1, 0, Self.count - 2])
        #expect(try await article(titled: "Title 900") != nil)
    }

    @Test("An option that changes the articles of the same records changes them", arguments: Form.allCases)
    func options(form: Form) async throws {
        try write(records(), as: form)
        _ = try await seed(form)
        #expect(try await seed(form, { $0.author = "Ada" }).outcomes == [0, Self.count, 0, 0])
        #expect(try await article(titled: "Title 900")?.authors == ["Ada"])
        #expect(try await seed(form, { $0.author = "Ada" }).outcomes == [0, 0, 0, Self.count])
    }

    @Test(
        "A second record of the same key is distinguished from the first, in any place",
        arguments: [Form.lines, .folder])
    func keys(form: Form) async throws {
        var records = records()
        try write(records, as: form)
        _ = try await seed(form)
        let copy = records[Self.late]
        let other = copy.replacing("Title 900", with: "Other")
        // After the known record, and before it.
        for place in [Self.late + 1, 0] {
            var records = records
            records.insert(other, at: place)
            records.append(copy)
            try write(records, as: form)
            let report = try await seed(form) { $0.isDryRun = true }
            #expect(report.rejected == 0)
            #expect(report.outcomes.reduce(0, +) == Self.count + 2)
            #expect(report.inserted == 1)
        }
        records.append(copy)
        try write(records, as: form)
        #expect(try await seed(form).outcomes == [0, 0, 0, Self.count + 1])
    }

    @Test(
        "Records with the same ID stay the same articles in another order, near each other or far apart",
        arguments: [Form.lines, .folder], [2, Self.count])
    func orders(form: Form, count: Int) async throws {
        let twins = ["A", "B", "C"].map { title in
            #"{"id":"same","title":"\#(title)","body":"Text of \#(title)","date":"2020-01-02"}"#
        }
        let others = Array(records().prefix(count))
        func write(_ first: String, _ last: [String]) throws { try self.write([first] + others + last, as: form) }
        func ids() async throws -> [Int64?] {
            var ids: [Int64?] = []
            for title in ["A", "B", "C"] { ids.append(try await article(titled: title)?.id) }
            return ids
        }
        try write(twins[0], [twins[1], twins[2]])
        #expect(try await seed(form).outcomes == [count + 3, 0, 0, 0])
        let before = try await ids()
        for (first, second, third) in [(1, 0, 2), (2, 1, 0), (0, 2, 1), (1, 2, 0)] {
            try write(twins[first], [twins[second], twins[third]])
            #expect(try await seed(form).outcomes == [0, 0, 0, count + 3])
            #expect(try await ids() == before)
        }
        // A changed text stays with its article, too.
        try write(twins[2].replacing("Text of", with: "More about"), [twins[0], twins[1]])
        #expect(try await seed(form, { $0.mirror = .most }).outcomes == [0, 1, 0, count + 2])
        #expect(try await ids() == before)
        #expect(try await article(titled: "C")?.body == "More about C")
    }

    @Test(
        "Records with the same ID, title, and day exist once each in another order", arguments: [Form.lines, .folder])
    func sameTitle(form: Form) async throws {
        let twins = (1...5).map { #"{"id":"same","title":"T","body":"Text \#($0)","date":"2020-01-02"}"# }
        try write(twins, as: form)
        #expect(try await seed(form).outcomes == [5, 0, 0, 0])
        for order in [[4, 3, 2, 1, 0], [1, 0, 2, 4, 3], [2, 4, 1, 0, 3]] {
            try write(order.map { twins[$0] }, as: form)
            #expect(try await seed(form).outcomes == [0, 0, 0, 5])
        }
    }

    @Test("A deleted record stays deleted in another order", arguments: [Form.lines, .folder])
    func deletedTwin(form: Form) async throws {
        let twins = ["A", "B"].map { #"{"id":"same","title":"\#($0)","body":"Text \#($0)","date":"2020-01-02"}"# }
        try write(twins, as: form)
        _ = try await seed(form)
        let (kept, gone) = (try #require(try await article(titled: "A")), try #require(try await article(titled: "B")))
        _ = try await fixture.repository.write { try $0.delete(id: gone.id, forGood: true) }
        try write(twins.reversed(), as: form)
        let report = try await seed(form)
        #expect(report.outcomes == [0, 0, 0, 1] && report.deleted == 1)
        #expect(try await article(titled: "A")?.id == kept.id)
        #expect(try await article(titled: "B") == nil)
    }

    @Test("A copy of a file in a folder is a separate article")
    func copies() async throws {
        try write(records(), as: .folder)
        _ = try await seed(.folder)
        try fixture.folder.write("posts/copy.jsonl", records().joined(separator: "\n"))
        #expect(try await seed(.folder).outcomes == [Self.count, 0, 0, Self.count])
        #expect(try await seed(.folder).outcomes == [0, 0, 0, 2 * Self.count])
    }

    @Test("Reports about a record are repeated in each import")
    func dates() async throws {
        var records = records()
        records[Self.late] = records[Self.late].replacing("2020-01-02", with: "some day")
        try write(records, as: .lines)
        _ = try await seed(.lines)
        let report = try await seed(.lines)
        #expect(report.outcomes == [0, 0, 0, Self.count])
        #expect(report.assumedDates.map(\.line) == [Self.late + 1])
    }

    @Test("An article that is now a draft is skipped, and has not left the source")
    func drafts() async throws {
        var records = records()
        records[Self.late] = records[Self.late].replacing(#""body""#, with: #""draft":true,"body""#)
        try write(records, as: .lines)
        #expect(try await seed(.lines, { $0.includesDrafts = true }).inserted == Self.count)
        let report = try await seed(.lines) { $0.mirror = .most }
        #expect(report.skippedDrafts == 1)
        #expect(report.removed == 0)
    }
}
