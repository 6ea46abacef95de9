import ArticleImporting
import Text
import SQLiteStores
import ArticleStore
import Foundation
import StoreEngines
import TestSupport
import Testing

@Suite("An import that mirrors its source")
struct MirrorTests {
    private let storage: TemporaryDatabase
    private let repository: SQLiteArticleRepository

    init() throws {
        storage = try TemporaryDatabase()
        repository = storage.articles
        for name in ["a", "b", "sub/c", "sub/d", "sub/e"] {
            try storage.folder.write("blog/\(name).md", "# \(name.uppercased())")
        }
    }

    private func run(
        _ path: String = "blog", _ mirror: ImportOptions.Mirror? = .most, isDryRun: Bool = false,
        isStrict: Bool = false,
        confirm: Bool = true
    ) async throws -> ImportReport {
        let options = ImportOptions(isStrict: isStrict, isDryRun: isDryRun, mirror: mirror)
        return try await ArticleImporter(repository: repository, options: options)
            .run([.path(storage.folder.file(path))], confirmRemoval: { _ in confirm })
    }

    private func remove(_ names: String...) throws {
        for name in names { try FileManager.default.removeItem(atPath: storage.folder.file("blog/\(name).md")) }
    }

    private func titles() async throws -> [String] {
        try await repository.list(ArticleQuery(sort: .title), after: nil, limit: 9).summaries.map(\.title)
    }

    @Test("A mirroring import removes missing articles, and an ordinary one does not", arguments: [false, true])
    func removes(isStrict: Bool) async throws {
        _ = try await run()
        try remove("a")
        #expect(try await run("blog", nil).removed == 0)
        #expect(try await titles().count == 5)
        let report = try await run(isStrict: isStrict)
        #expect(report.removed == 1)
        #expect(report.unchanged == 4)
        #expect(try await titles() == ["B", "SUB/C", "SUB/D", "SUB/E"])
    }

    @Test("A mirroring import keeps articles whose files exist but are now skipped")
    func passedOver() async throws {
        try storage.folder.write("blog/note.txt", "# A note")
        _ = try await run("blog/note.txt")
        _ = try await run()
        let report = try await run()
        #expect(report.removed == 0)
        #expect(report.skippedFiles == 1)
        try FileManager.default.removeItem(atPath: storage.folder.file("blog/note.txt"))
        #expect(try await run().removed == 1)
    }

    @Test("A dry run or a no reports the missing articles and keeps them")
    func confirmed() async throws {
        _ = try await run()
        try remove("a", "sub/c")
        #expect(try await run(isDryRun: true).removed == 2)
        var asked: [MissingArticles] = []
        let options = ImportOptions(mirror: .most)
        let report = try await ArticleImporter(repository: repository, options: options).run(
            [.path(storage.folder.file("blog"))],
            confirmRemoval: {
                asked.append($0)
                return false
            })
        #expect(report.removed == 0)
        #expect(asked.map(\.keys) == [["a.md", "sub/c.md"]])
        #expect(asked.map(\.total) == [5])
        #expect(try await titles().count == 5)
    }

    @Test("A mirroring import removes at most half of a source, unless it is forced")
    func half() async throws {
        _ = try await run()
        try remove("a", "sub/c", "sub/d")
        let report = try await run()
        #expect(report.removed == 0)
        #expect(report.refusedRemovals == [.tooMany(source: "blog", 3, of: 5)])
        #expect(try await titles().count == 5)
        #expect(try await run("blog", .all).removed == 3)
        #expect(try await titles() == ["B", "SUB/E"])
    }

    @Test("An empty folder is a source that has lost everything")
    func emptied() async throws {
        _ = try await run()
        try remove("a", "b", "sub/c", "sub/d", "sub/e")
        #expect(try await run().refusedRemovals == [.tooMany(source: "blog", 5, of: 5)])
        #expect(try await run("blog", .all).removed == 5)
        #expect(try await titles() == [])
    }

    @Test("A mirroring import removes nothing if something could not be read")
    func unreadable() async throws {
        _ = try await run()
        try remove("a")
        try storage.folder.write("blog/z.md", "---\nwrong: [\n---\n")
        let report = try await run()
        #expect(report.rejected == 1)
        #expect(report.refusedRemovals == [.unreadable(1)])
        #expect(try await titles().count == 5)
    }

    @Test("A mirroring import compares only the part of a source that it was given")
    func part() async throws {
        _ = try await run()
        try remove("a", "sub/c")
        #expect(try await run("blog/sub").removed == 1)
        #expect(try await titles() == ["A", "B", "SUB/D", "SUB/E"])
    }

    @Test("A mirroring import removes the records that a file has lost")
    func records() async throws {
        func write(_ ids: [Int]) throws {
            try storage.folder.write(
                "a.jsonl", ids.map { #"{"id":"\#($0)","title":"T\#($0)","body":"x"}"# }.joined(separator: "\n"))
        }
        try write([1, 2, 3])
        _ = try await run("a.jsonl")
        try write([1, 3])
        #expect(try await run("a.jsonl").removed == 1)
        #expect(try await titles() == ["T1", "T3"])
    }

    @Test("A mirroring import keeps articles that an interrupted import did not reach")
    func interrupted() async throws {
        _ = try await run()
        let report = try await ArticleImporter(repository: repository, options: ImportOptions(mirror: .all))
            .run([.path(storage.folder.file("blog"))], isInterrupted: { true })
        #expect(report.isInterrupted)
        #expect(report.removed == 0)
        #expect(try await titles().count == 5)
    }

    @Test("An interrupted import removes nothing, also after a yes")
    func interruptedAfterQuestion() async throws {
        _ = try await run()
        try remove("a")
        var isInterrupted = false
        let report = try await ArticleImporter(repository: repository, options: ImportOptions(mirror: .most)).run(
            [.path(storage.folder.file("blog"))], isInterrupted: { isInterrupted },
            confirmRemoval: { _ in
                isInterrupted = true
                return true
            })
        #expect(report.isInterrupted)
        #expect(report.removed == 0)
        #expect(try await titles().count == 5)
    }

    @Test(
        "A mirroring import keeps the articles of drafts, also of files that were drafts before",
        arguments: [nil, "blog"])
    func drafts(source: String?) async throws {
        try storage.folder.write("blog/f.md", "---\ndraft: true\n---\n\n# F")
        try storage.folder.write("blog/_drafts/g.md", "# G")
        func records(_ more: String) -> String {
            (1...3).map { #"{"id":"\#($0)","title":"T\#($0)","body":"x"\#($0 == 2 ? more : "")}"# }.joined(
                separator: "\n")
        }
        try storage.folder.write("blog/r.jsonl", records(""))
        let path = ImportSource.path(storage.folder.file("blog"))
        func run(drafts: Bool) async throws -> ImportReport {
            let options = ImportOptions(source: source, includesDrafts: drafts, mirror: .most)
            return try await ArticleImporter(repository: repository, options: options).run([path])
        }
        #expect(try await run(drafts: true).inserted == 10)
        try storage.folder.write("blog/b.md", "---\ndraft: true\n---\n\n# B, again\n\nMore.")
        try storage.folder.write("blog/r.jsonl", records(#","status":"draft""#))
        let report = try await run(drafts: false)
        #expect(report.skippedDrafts == 4)
        #expect(report.removed == 0)
        // The report names the drafts.
        let keys: [ExactText] = ["_drafts/g.md", "b.md", "f.md", "r.jsonl#2"]
        #expect(report.drafts.map(\.keys) == [keys])
        #expect(report.description.hasSuffix("4 drafts skipped, 4 kept but now drafts"))
        let page = try await repository.list(ArticleQuery(sort: .title), after: nil, limit: 20)
        #expect(page.summaries.map(\.title) == ["A", "B", "F", "G", "SUB/C", "SUB/D", "SUB/E", "T1", "T2", "T3"])
        // A removed file is missing, also if it was a draft.
        try remove("b", "f")
        #expect(try await run(drafts: false).removedArticles.map(\.keys) == [["b.md", "f.md"]])
    }

    @Test(
        "A mirroring import keeps an article whose file moved to the drafts, unchanged or changed",
        arguments: [false, true])
    func movedToDrafts(isChanged: Bool) async throws {
        for name in ["2020-01-02-one", "2020-01-03-two", "2020-01-04-three"] {
            try storage.folder.write("site/_posts/\(name).md", "# \(name)")
        }
        try storage.folder.write("site/about.md", "# About")
        #expect(try await run("site").inserted == 4)
        for name in ["2020-01-02-one", "2020-01-03-two"] {
            try FileManager.default.removeItem(atPath: storage.folder.file("site/_posts/\(name).md"))
        }
        let draft = isChanged ? "one" : "idea"
        try storage.folder.write("site/_drafts/\(draft).md", isChanged ? "# Better" : "# 2020-01-02-one")
        let report = try await run("site")
        #expect(report.drafts.map(\.keys) == [["_posts/2020-01-02-one.md"]])
        #expect(report.removedArticles.map(\.keys) == [["_posts/2020-01-03-two.md"]])
        // Published again, it is the same article.
        try FileManager.default.moveItem(
            atPath: storage.folder.file("site/_drafts/\(draft).md"),
            toPath: storage.folder.file("site/_posts/\(isChanged ? "2020-01-02" : "2021-05-06")-one.md"))
        let again = try await run("site")
        #expect((again.inserted, again.updated + again.renamed) == (0, 1))
    }

    @Test("A mirroring import of drafts alone does not create a source")
    func draftsAlone() async throws {
        try storage.folder.write("new/f.md", "---\ndraft: true\n---\n\n# F")
        #expect(try await run("new").skippedDrafts == 1)
        #expect(try await repository.sources() == [])
    }
}
