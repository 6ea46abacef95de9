@testable import ArticleImporting
@testable import ArticleStore
@testable import SQLiteStores
import Database
import Foundation
import StoreEngines
import TestSupport
import Testing

@Suite("The word index")
struct SearchIndexTests {
    private let storage: TemporaryDatabase
    private let repository: SQLiteArticleRepository

    init() throws {
        storage = try TemporaryDatabase()
        repository = storage.articles
    }

    /// Every word of the index with its positions, as SQLite reports them.
    private func content(of database: Database) throws -> [String] {
        // Only a writer can create the table that reports them; rolling back removes it.
        struct Seen: Error { let rows: [String] }
        do {
            try database.write { transaction in
                var rows: [String] = []
                for table in ["article_text", "article_name"] {
                    try transaction.execute("CREATE VIRTUAL TABLE told USING fts5vocab('\(table)', 'instance')")
                    try transaction.forEach("SELECT term, doc, col, offset FROM told ORDER BY 2, 3, 4, 1") { row in
                        let (term, article): (String, Int64) = try (row.value(0), row.value(1))
                        let (column, offset): (String, Int64) = try (row.value(2), row.value(3))
                        rows.append("\(table) \(article) \(column) \(offset) \(term)")
                    }
                    try transaction.execute("DROP TABLE told")
                    // SQLite checks the structure.
                    try transaction.execute("INSERT INTO \(table) (\(table)) VALUES ('integrity-check')")
                }
                throw Seen(rows: rows)
            }
            return []
        } catch let seen as Seen {
            return seen.rows
        }
    }

    /// Compares the index with a rebuilt one.
    private func check(_ step: String, _ location: SourceLocation = #_sourceLocation) throws {
        let kept = try content(of: storage.database)
        try storage.database.write { try SearchIndex(transaction: $0).rebuild() }
        let rebuilt = try content(of: storage.database)
        #expect(kept == rebuilt, "after \(step)", sourceLocation: location)
        #expect(!kept.isEmpty)
    }

    private func draft(_ number: Int, _ random: inout SeededGenerator) -> ArticleDraft {
        let words = [
            "swift", "Straße", "東京都", "ประเทศไทย", "C++", ".NET", "async/await", "x", "naïve", "\u{2}a\u{3}", "İ",
            "a\0b",
        ]
        func some(_ count: Int) -> [String] { Array(words.shuffled(using: &random).prefix(count)) }
        let formats: [Article.Format] = [.markdown, .html, .plain]
        return ArticleDraft(
            slug: "a\(number)", title: some(2).joined(separator: " "), authors: some(number % 3),
            summary: some(1).joined(),
            body: "# \(some(3).joined(separator: " *b* <i>c</i> &amp; "))\n[l](http://x.y)",
            format: formats[number % 3],
            language: [nil, "en", "de-AT", "xx"][number & 3], tags: some(number % 4))
    }

    @Test("After every kind of change, the index equals a rebuilt one", arguments: 0..<6)
    func changes(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var source = try #require(
            try await repository.write { writer in try writer.insert(SourceFacts(name: "s", kind: .stream), uid: nil) })
        var step = 0
        for round in 0..<30 {
            let kind = Int.random(in: 0..<8, using: &random)
            let drafts = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                draft(Int.random(in: 0..<60, using: &random), &random)
            }
            let edited = draft(Int.random(in: 0..<60, using: &random), &random)
            let victim = Int64.random(in: 1...60, using: &random)
            let isStopped = Bool.random(using: &random)
            struct Stopped: Error {}
            let from = source
            do {
                source = try await repository.write { writer in
                    var source = from
                    switch kind {
                    case 0...2:
                        for draft in drafts { _ = try writer.upsert(draft, into: source) }
                    case 3:
                        if let old = try writer.article(id: victim) {
                            var new = old
                            (new.title, new.body, new.format) = (edited.title, edited.body, edited.format)
                            (new.tags, new.language) = (edited.tags, edited.language)
                            try writer.update(old, to: new, from: ArticleOrigin(isEdited: true))
                        }
                    case 4: _ = try writer.delete(id: victim, forGood: isStopped)
                    case 5:
                        source.facts.name = "s\(round)"
                        try writer.update(source)
                    case 6:
                        // The same draft twice in one transaction.
                        for draft in drafts { _ = try writer.upsert(draft, into: source) }
                        for draft in drafts.prefix(3) {
                            let again = ArticleDraft(slug: draft.slug, title: draft.title + " again", body: "again")
                            _ = try writer.upsert(again, into: source)
                        }
                        _ = try writer.delete(id: victim, forGood: false)
                    default:
                        _ = try writer.deleteSource(id: source.id)
                        source = try writer.insert(SourceFacts(name: "t\(round)", kind: .stream), uid: nil)
                        for draft in drafts { _ = try writer.upsert(draft, into: source) }
                    }
                    // As if the process was killed: nothing was written.
                    if isStopped && kind != 4 { throw Stopped() }
                    return source
                }
            } catch is Stopped {}
            step += 1
            if round % 5 == 4 { try check("step \(step) of seed \(seed)") }
        }
    }

    @Test("The index follows a change by another program at the next write")
    func otherPrograms() async throws {
        var random = SeededGenerator(seed: 1)
        try await repository.upsert((0..<9).map { draft($0, &random) })
        try await storage.database.write { transaction in
            try transaction.run("DELETE FROM article WHERE id = 3")
            try transaction.run("UPDATE article_body SET body = 'elsewhere' WHERE article_id = 4")
            try transaction.run("UPDATE article SET title = 'elsewhere' WHERE id IN (4, 5)")
        }
        let query = ArticleQuery(text: "elsewhere", sort: .oldest)
        let before = try await repository.list(query, after: nil, limit: 9)
        #expect(before.summaries.isEmpty)
        // The deleted article does not count as waiting.
        #expect(before.search?.waiting == 2)
        try await repository.upsert(draft(70, &random))
        let after = try await repository.list(query, after: nil, limit: 9)
        #expect(after.summaries.map(\.id) == [4, 5])
        #expect(after.search?.waiting == 0)
        try check("changes by others")
    }

    @Test("The index follows a large import in steps, reports the rest, and then equals a rebuilt one")
    func steps() async throws {
        var random = SeededGenerator(seed: 2)
        let drafts = (0..<1500).map { draft($0, &random) }
        try await repository.upsert(drafts)
        let query = ArticleQuery(text: "b", sort: .oldest)
        let early = try await repository.list(query, after: nil, limit: 1000)
        #expect(early.search?.waiting == 1500 - 256)
        // Articles that change and go in the meantime, on both sides of the indexed part.
        for id: Int64 in [5, 1400] {
            try await repository.delete(id: id)
            try await repository.write { writer in
                let old = try #require(try writer.article(id: id + 1))
                var new = old
                new.body = "changed"
                try writer.update(old, to: new, from: ArticleOrigin())
            }
        }
        var steps = 0
        while try await repository.advanceSearch() > 0 { steps += 1 }
        #expect(try await repository.list(query, after: nil, limit: 9).search?.waiting == 0)
        #expect(try await repository.list(ArticleQuery(text: "changed"), after: nil, limit: 9).summaries.count == 2)
        try check("steps")
    }

    @Test(
        "Deleted articles neither fill the limit of a search nor count as not searched",
        arguments: ArticleQuery.Sort.allCases, [0, 5])
    func deletedCandidates(sort: ArticleQuery.Sort, kept: Int) async throws {
        var repository = repository
        repository.bounds.candidates = 10
        repository.bounds.starting = 10
        // The first matches that are read are exactly the deleted articles.
        repository.bounds.first = 40 - kept
        _ = try await repository.upsert(
            (0..<40).map { ArticleDraft(key: "\($0)", slug: "a\($0)", title: "Word", body: "") })
        while try await repository.advanceSearch() > 0 {}
        // Another program deletes: the index does not follow before this program's next write.
        try await storage.database.write { try $0.run("DELETE FROM article WHERE id > ?", [Value(kept)]) }
        for text in ["word", "wor*"] {
            let page = try await repository.list(ArticleQuery(text: text, sort: sort), after: nil, limit: 20)
            #expect(page.summaries.count == kept)
            #expect(page.search?.waiting == 0)
        }
    }

    private func segments() throws -> Int {
        try #require(
            try storage.database.first("SELECT count(DISTINCT segid) FROM article_text_idx") { try $0.value(0) })
    }

    @Test("The segments of small writes are merged by these writes, and those of a large import afterwards")
    func segmentsAreMerged() async throws {
        var random = SeededGenerator(seed: 3)
        for number in 0..<40 {
            try await repository.upsert([draft(number, &random)])
            #expect(try segments() < 16)
        }
        try await repository.upsert((40..<1400).map { draft($0, &random) })
        let before = try segments()
        for _ in 0..<16 {
            try await storage.database.write { transaction in
                try SearchIndex(transaction: transaction).advance(SearchIndex.StepBudget(articles: 50, bytes: .max))
            }
        }
        #expect(try segments() == before + 16)
        while try await repository.advanceSearch() > 0 {}
        while try await repository.mergeSearch() {}
        #expect(try segments() < 16)
        #expect(try await repository.mergeSearch() == false)
        try check("merging")
    }

    @Test("A cached word has the tokens of its own language and spelling", arguments: [nil, "en", "de", "fr", "ro"])
    func cachedWords(language: String?) async throws {
        var random = SeededGenerator(seed: 4)
        let letters = ["a", "E", "i", "o", "ß", "é", "ș", "n", "st", "r", "ing", "s", "ation", "e", "l", "t"]
        // So many words that some replace others in the cache, and the earlier ones again.
        var words = (0..<6000).map { _ in (0..<4).map { _ in letters.randomElement(using: &random) ?? "" }.joined() }
        words += words.prefix(2000)
        let bodies = stride(from: 0, to: words.count, by: 1000).map { words[$0..<$0 + 1000].joined(separator: " ") }
        let languages = [language, "sv"]
        try await repository.upsert(
            bodies.enumerated().map { number, body in
                ArticleDraft(slug: "a\(number)", title: "A", body: body, language: languages[number % 2])
            })
        while try await repository.advanceSearch() > 0 {}
        #expect(try storage.database.read { try SearchIndex.agrees(in: $0) })
    }

    @Test("After an interrupted import continues, searches find every article")
    func resumedImport() async throws {
        let lines = (0..<5000).map { #"{"id":"\#($0)","title":"Word \#($0)","body":"x"}"# + "\n" }
        let path = try storage.folder.write("a.jsonl", lines.joined())
        var asked = 0
        let importer = ArticleImporter(repository: repository, options: ImportOptions())
        let report = try await importer.run(
            [.path(path)],
            isInterrupted: {
                asked += 1
                return asked > 4500
            })
        #expect(report.isInterrupted)
        #expect(try await importer.run([.path(path)]).waiting == 0)
        let page = try await repository.list(ArticleQuery(text: "word", sort: .newest), after: nil, limit: 1)
        #expect(page.search?.waiting == 0)
        #expect(try await repository.count(ArticleQuery(text: "word")) == 5000)
    }

    @Test("A search finds a hundred new articles immediately")
    func hundred() async throws {
        var random = SeededGenerator(seed: 4)
        try await repository.upsert((0..<100).map { draft($0, &random) })
        #expect(try await repository.list(ArticleQuery(text: "l"), after: nil, limit: 9).search?.waiting == 0)
    }

    @Test("The next write rebuilds an index of other rules; until then searches report that nothing is searched")
    func otherRules() async throws {
        var random = SeededGenerator(seed: 3)
        try await repository.upsert((0..<9).map { draft($0, &random) })
        try await storage.database.write { try $0.run("UPDATE search_state SET version = version + 1") }
        let before = try await repository.list(ArticleQuery(text: "l"), after: nil, limit: 9)
        #expect(before.search?.waiting == 9)
        try await repository.upsert(draft(10, &random))
        let after = try await repository.list(ArticleQuery(text: "l"), after: nil, limit: 99)
        #expect(after.search?.waiting == 0)
        try check("other rules")
    }

    @Test("A check reports an index that disagrees with the articles, and a repair rebuilds it")
    func repair() async throws {
        var random = SeededGenerator(seed: 5)
        try await repository.upsert((0..<9).map { draft($0, &random) })
        let library = LibraryCheck(database: storage.database)
        #expect(try library.findings().isEmpty)
        try await storage.database.write { try $0.run("INSERT INTO article_text (article_text) VALUES ('delete-all')") }
        #expect(try library.findings().map(\.kind) == [.index])
        try library.repair()
        #expect(try library.findings().isEmpty)
        try check("repair")
    }

    @Test(
        "A check finds a single word that another program wrote past the triggers, and a repair rebuilds",
        arguments: [
            // REPLACE does not run the triggers of a deletion.
            "REPLACE INTO article_body SELECT b.article_id, b.format, b.source_url, b.extra, 'other', b.base_url, b.checksum "
                + "FROM article_body AS b WHERE article_id = 4",
            "DROP TRIGGER article_body_reworded; UPDATE article_body SET body = 'other' WHERE article_id = 4",
            "DROP TRIGGER article_reworded; UPDATE article SET title = 'other' WHERE id = 4",
            "DROP TRIGGER article_reworded; UPDATE article SET summary = title, title = summary WHERE id = 4",
            "INSERT INTO article_name (article_name, rowid, title, authors, tags) VALUES ('delete', 4, 'title', '', '')",
        ])
    func pastTriggers(sql: String) async throws {
        try await repository.upsert(
            (1...9).map { ArticleDraft(slug: "a\($0)", title: "title", summary: "summary", body: "東京 C++ word") })
        let library = LibraryCheck(database: storage.database)
        #expect(try library.findings().isEmpty)
        try await storage.database.write { try $0.execute(sql) }
        #expect(try library.findings().contains { $0.kind == .index && $0.subject == "article_text" && $0.isFault })
        try library.repair()
        #expect(try !library.findings().contains { $0.kind == .index })
        try check("repair")
    }

    @Test("An index that waits for changes is valid")
    func waiting() async throws {
        var random = SeededGenerator(seed: 10)
        try await repository.upsert((0..<60).map { draft($0, &random) })
        let library = LibraryCheck(database: storage.database)
        #expect(try library.findings().isEmpty)
        try await storage.database.write { transaction in
            try transaction.run("DELETE FROM article WHERE id = 3")
            try transaction.run("UPDATE article SET title = 'elsewhere' WHERE id IN (4, 5)")
        }
        #expect(try !library.findings().contains { $0.subject == "article_text" && $0.isFault })
    }

    @Test("A damaged index does not prevent writes, and is rebuilt")
    func damaged() async throws {
        var random = SeededGenerator(seed: 8)
        try await repository.upsert((0..<50).map { draft($0, &random) })
        // Removing more words than the whole index has must not leave negative counts.
        try await storage.database.write { transaction in
            try transaction.run("UPDATE article_body SET body = 'zebra' WHERE article_id < 40")
            try transaction.run("UPDATE search_queue SET body = replace(hex(zeroblob(50000)), '00', 'w ')")
        }
        try await repository.upsert(draft(100, &random))
        let query = ArticleQuery(text: "zebra")
        #expect(try await repository.list(query, after: nil, limit: 99).search?.waiting == 51)
        try await repository.upsert(draft(101, &random))
        let page = try await repository.list(query, after: nil, limit: 99)
        #expect(page.search?.waiting == 0)
        #expect(page.summaries.count == 39)
        try check("damage")
    }

    @Test("SQL statements fold text like the rest of the code")
    func folding() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<3000 {
            let scalars = (0..<6).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0x21...(Bool.random(using: &random) ? 0x24F : 0x1EFF), using: &random))
            }
            let text = "x" + String(String.UnicodeScalarView(scalars)) + "x"
            let folded: String? = try storage.database.first("SELECT search_fold(?)", [.text(text)]) { try $0.value(0) }
            let label = IndexedText.label(text)
            #expect(folded.map { "\u{2}\($0)\u{3}" }?.utf8.elementsEqual(label.utf8) == true, "\(scalars.map(\.value))")
        }
    }

    /// A search to the end of the text for each part is quadratic: it would take hours.
    @Test(
        "The index reads a text with many unclosed parts in one pass", .timeLimit(.minutes(30)),
        arguments: [
            "<a ", "<a\"", "<a b=\"", "<a b=' c=\"", "<!", "<!--", "<?", "<![CDATA[", "](", "[a](", "[a](<", "[a](b \"",
            "[",
            "![", "`", "` ``", "*", "a*", "_a", "**a *b ", "<a:", "<style", "<script>", "<pre>", "\n<div>", "> ", "- ",
            "* ",
            "1. ", "\n```", "\n\n     ", "\n- ```", "&#", "\\",
        ])
    func endless(_ unit: String) {
        let body = String(repeating: unit, count: (2 << 20) / unit.utf8.count)
        for format: Article.Format in [.markdown, .html] {
            let text = IndexedText.plain(body + " word", format)
            #expect(unit == "<script>" || text.hasSuffix("word"), "\(format)")
            #expect(text.utf8.count <= body.utf8.count + 5)
        }
    }

    /// If you change these expectations, increase `csearch_version`.
    @Test(
        "The index of Markdown contains the visible text",
        arguments: [
            // Characters that are not markup separate words, and hide nothing.
            ("a [b", "a b"), ("2*3 and 4 * 5", "2 3 and 4 5"), ("a_b_c __init__", "a b c init"), ("[1]: x] y", "1 x y"),
            ("a](b) c", "a b c"), ("[a](b c) d", "a b c d"), ("[a](b", "a b"), ("[a](b\n\nc)", "a b c"),
            ("a < b > c", "a b c"),
            ("x <y.z> <1> <a b=> w", "x y z 1 a b w"), ("Array<Int>(x) is [Int]", "Array x is Int"), ("a ` b", "a b"),
            ("`` a ` b ``", "a b"), ("a ``` b `c` d", "a b c d"), ("a <!-- b", "a b"), ("*a **b", "a b"),
            // Characters of markup are not part of a word.
            ("un*frigging*real **S**QL ~~o~~ld", "unfriggingreal SQL old"),
            ("`NSString`s [link](u)s", "NSStrings links"),
            ("*a **b** c*d", "a b cd"), (#"snake\_case 2\*3"#, "snake case 2 3"),
            ("caf&eacute; &amp; &#65; &#;", "café A"),
            ("&Abreve;b&nbsp;c x&CounterClockwiseContourIntegral;y", "Ăb c x y"),
            ("a<b>b</b>c a<br>c", "abc a c"),
            // Addresses.
            ("[a](http://x.y \"t\") b", "a b"), ("[a](<x y> 't') b", "a b"),
            ("![i](x.png)b [a [b](c)](d)", "i b a b d"),
            ("[![i](x)](y) z", "i z"), ("see <http://x.y/z> after", "see http x y z after"), ("<me@x.y> b", "me x y b"),
            ("[a](x_(y)_z) b", "a b"), (#"\[a](b) c"#, "a b c"), ("[a](b\\) c", "a b c"),
            // Code is indexed as it is.
            ("    [a](b) <c> *d* &amp;", "a b c d amp"), ("a\n    <b>[c](d)</b>", "a c"),
            ("- a\n\n      [b](c)", "a b c"),
            ("- a\n\n    [b](c)", "a b"), ("1. a\n\n   ~~~\n   <b>\n   ~~~\n   [c](d)", "1 a b c"), ("\t<a>", "a"),
            ("> a\n>\n>     <b>\n> [c](d)", "a b c"),
            ("```swift\n<a> ``` b\n````\n<c> d", "swift a b d"), ("```\n``` x\n<a>\n```\n<b>c", "x a c"),
            ("> ```\n> <a>\n<b>c", "a c"), ("~~~\n<a>", "a"), ("``` a ``` <b>c", "a c"),
            // HTML.
            ("a <script> b", "a b"), ("a <style>b</style> c", "a b c"), ("<script>\na\n\nb\n</script>\nc", "c"),
            ("<div>\n<style>\na {}\n</style>\n[b](c)\n\n[d](e)", "b c d"), ("<style-guide> a", "a"),
            ("<pre>\n[a](b)\n\n[c](d)\n</pre>", "a b c d"), ("<!-- a\n\nb -->\n[c](d)", "c"),
            ("<!more> a <!1> b", "a 1 b"),
            ("<?php a ?> b", "b"),
            // Lines.
            ("# a #b\n## [c](d)\n#e", "a b c e"), ("* a\n* b\n- c\n1986. d", "a b c 1986 d"),
            ("> > *a\n> > b* c", "a b c"),
            ("*a\n\nb*c", "a b c"), ("***\n    <a>", "a"), ("a\r\n\r\n    <b>\r\n", "a b"),
        ])
    func shown(body: String, words: String) {
        var text = IndexedText.plain(body, .markdown)
        var found: [String] = []
        text.withUTF8 { utf8 in
            SearchWords.forEach(in: utf8, for: .query) { word in
                found.append(String(decoding: utf8[word.range], as: UTF8.self))
                return true
            }
        }
        #expect(found.joined(separator: " ") == words)
        #expect(SearchWords.version >> 32 == 5)
    }

    @Test(
        "A reading of words that begin with some letters finds these words and stems at their positions",
        arguments: [
            "ar", "ca", "da", "de", "el", "en", "es", "eu", "fi", "fr", "ga", "hi", "hu", "hy", "id", "it", "lt", "ne",
            "nl",
            "no", "pt", "ro", "ru", "sr", "sv", "ta", "tr", "yi",
        ])
    func beginnings(language: String) {
        var words: [String] = []
        for first in "abcdefghijklmnopqrstuvwxyz" {
            for second in "abcdefghijklmnopqrstuvwxyz" {
                let start = "\(first)\(second)"
                words += ["\(start)ation", "\(start)eri", "\(start)jan", ".\(start)x", "\(start)++", "é\(start)"]
                words.append(start.uppercased() + "É")
            }
        }
        var text = "\u{4}\(language)\u{4}\(words.joined(separator: " ")) \(IndexedText.label("a name")) 東京都 ☂"
        func describe(_ word: SearchWords.Word) -> String {
            "\(word.position) \(word.isBeside) \(String(decoding: word.text, as: UTF8.self))"
        }
        func read(_ beginning: String) -> (tokens: [String], positions: Int) {
            var tokens: [String] = []
            let positions = text.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, beginningWith: SearchWords.Beginnings([Array(beginning.utf8)])) { word in
                    tokens.append(describe(word))
                    return true
                }
            }
            return (tokens, positions)
        }
        func letter(_ token: String) -> Character? {
            let word = token.split(separator: " ", maxSplits: 2)[2]
            return word.first == "\u{1}" ? word.dropFirst(3).first : word.first
        }
        var (all, positions) = ([String](), 0)
        text.withUTF8 { utf8 in
            SearchWords.forEach(in: utf8, for: .document) { word in
                all.append(describe(word))
                positions = word.position + 1
                return true
            }
        }
        let byLetter = Dictionary(grouping: all, by: letter)
        for wanted in "atz." {
            let some = read(String(wanted))
            #expect(some.tokens.filter { letter($0) == wanted } == byLetter[wanted] ?? [])
            #expect(some.positions == positions)
        }
        for wanted in "bcdefghijklmnopqrsuvwxy" {
            let some = read("\u{1}\(language)\(wanted)")
            #expect(some.tokens.filter { letter($0) == wanted } == byLetter[wanted] ?? [])
        }
    }

    /// Two forms of a word for each language of libstemmer.
    @Test(
        "Each language finds other forms of its words",
        arguments: [
            ("ar", "كتاب", "الكتاب"), ("ca", "nacional", "nacionals"), ("da", "hund", "hunden"),
            ("de", "Aufgabe", "Aufgaben"),
            ("el", "δρόμος", "δρόμοι"), ("en", "migration", "migrations"), ("es", "trabajo", "trabajos"),
            ("eu", "etxe", "etxeak"),
            ("fi", "talo", "talossa"), ("fr", "maison", "maisons"), ("ga", "bord", "mbord"), ("hi", "लड़का", "लड़के"),
            ("hu", "ház", "házban"), ("hy", "քաղաք", "քաղաքներ"), ("id", "buku", "bukunya"), ("it", "gatto", "gatti"),
            ("lt", "namas", "namai"), ("nb", "hus", "husene"), ("ne", "किताब", "किताबहरू"), ("nl", "boek", "boeken"),
            ("nn", "hus", "husene"), ("no", "hus", "husene"), ("pt", "menino", "meninos"), ("ro", "casă", "case"),
            ("ru", "книга", "книги"), ("sr", "књига", "књиге"), ("sr-Latn", "kuća", "kuće"), ("sv", "bok", "boken"),
            ("ta", "புத்தகம்", "புத்தகங்கள்"), ("tr", "kitap", "kitaplar"), ("yi", "קינד", "קינדער"),
        ])
    func forms(language: String, word: String, other: String) async throws {
        for (number, body) in [word, other].enumerated() {
            try await repository.upsert(
                ArticleDraft(slug: "a\(number)", title: "1", body: body, language: language))
        }
        for text in [word, other] {
            #expect(try await repository.count(ArticleQuery(text: text)) == 2, "\(text)")
            #expect(try await repository.count(ArticleQuery(text: "\"\(text)\"")) == 1, "\(text)")
        }
    }

    /// Pairs of forms whose endings have accents, and the same without accents as readers type them.
    @Test(
        "Each language finds other forms of words with accents, also typed without these",
        arguments: [
            ("ca", "informació", "informacions"), ("de", "Haus", "Häuser"), ("de", "Buch", "Büchern"),
            ("el", "άνθρωπος", "άνθρωποι"), ("es", "organización", "organizaciones"), ("es", "corazón", "corazones"),
            ("fi", "kylä", "kylässä"),
            ("fr", "créativité", "créatives"), ("fr", "général", "généraux"), ("hu", "város", "városokból"),
            ("it", "parlare", "parlerà"), ("lt", "šventė", "šventės"), ("pt", "informação", "informações"),
            ("pt", "agradável", "agradáveis"), ("ro", "națiune", "națiunii"), ("ro", "informație", "informații"),
            ("ru", "ёлка", "ёлки"), ("sr-Latn", "kuća", "kuće"), ("sv", "möjlighet", "möjligheterna"),
            ("tr", "kitap", "kitapları"),
            ("tr", "İstanbul", "İstanbulun"),
        ])
    func accentedForms(language: String, word: String, other: String) async throws {
        for (number, body) in [word, other].enumerated() {
            try await repository.upsert(ArticleDraft(slug: "a\(number)", title: "1", body: body, language: language))
        }
        for text in [word, other] {
            let plain = text.applyingTransform(.stripDiacritics, reverse: false)?.replacing("ı", with: "i") ?? text
            for typed in [text, plain, text.uppercased(), text.decomposedStringWithCanonicalMapping] {
                #expect(try await repository.count(ArticleQuery(text: typed)) == 2, "\(typed)")
            }
            #expect(try await repository.count(ArticleQuery(text: "\"\(text)\"")) == 1, "\(text)")
            let page = try await repository.list(ArticleQuery(text: plain), after: nil, limit: 2)
            #expect(
                page.summaries.allSatisfy { $0.found?.excerpt?.pieces.contains(where: \.isMarked) == true }, "\(plain)")
        }
    }

    @Test("A word has a stem if it has three letters, whatever sign is beside it")
    func stemmedWords() throws {
        func tokens(_ text: String, _ language: String) -> [String] {
            var (text, found) = ("\u{4}\(language)\u{4}\(text)", [String]())
            text.withUTF8 { utf8 in
                SearchWords.forEach(in: utf8, for: .document) { word in
                    found.append(String(decoding: word.text, as: UTF8.self))
                    return true
                }
            }
            return found
        }
        #expect(tokens("as", "en") == ["as"])
        #expect(tokens("ум", "ru") == ["ум"])
        #expect(tokens("ума", "ru") == ["ума", "\u{1}ruум"])
        #expect(tokens("migrations+", "en") == ["migrations", "migrations+", "\u{1}enmigrat"])
        #expect(tokens(".migrations", "en") == ["migrations", ".migrations", "\u{1}enmigrat"])
        #expect(tokens("mp3s", "en") == ["mp3s"])
    }

    @Test(
        "A search looks for the stems of the library's languages, also of the words in parentheses, and of English",
        arguments: ["migrations", "-migrations", "migrations OR is:starred", "(migrations OR -is:read)"])
    func stemsOfLibrary(text: String) throws {
        let search = try #require(SearchQuery(text))
        func languages(_ search: SearchQuery) -> Set<String> {
            func all(_ clauses: [SearchQuery.Clause]) -> [SearchQuery.Term] {
                clauses.flatMap { clause -> [SearchQuery.Term] in
                    switch clause {
                    case .term(let term): [term]
                    case .filter: []
                    case .all(let clauses), .any(let clauses): all(clauses)
                    }
                }
            }
            let terms = search.terms + search.wanted.joined() + search.unwanted + all(search.choices)
            #expect(terms.count == 2)
            return Set(terms.flatMap(\.stems).map { String($0.dropFirst().prefix(2)) })
        }
        #expect(languages(search).count > 10)
        #expect(languages(search.stemmed(in: StemLanguages(tags: ["de-AT", "zz"]))) == ["de", "en"])
        #expect(languages(search.stemmed(in: StemLanguages(tags: []))) == ["en"])
        #expect(languages(search.stemmed(in: .all)) == languages(search))
        let exact = try #require(SearchQuery("\"migrations\" " + text))
        #expect(exact.description.contains("(only this form)"))
        #expect(exact.stemmed(in: .all).description == exact.description)
    }

    @Test(
        "A search looks for stems of languages in the script of the word alone",
        arguments: [
            ("東京", []), ("ประเทศ", []), ("C++", []), (".NET", []), ("migration+", []), ("mp3", []), ("☃", []),
            ("ﷺ", []),
            ("книги", ["ru", "sr"]), ("βιβλία", ["el"]), ("किताब", ["hi", "ne"]), ("\"migration\"", []),
        ])
    func scripts(text: String, languages: [String]) throws {
        let stems = try #require(SearchQuery(text)?.terms.first).stems
        #expect(stems.map { String($0.dropFirst().prefix(2)) } == languages)
    }

    @Test(
        "An article whose language is a code of three letters finds other forms",
        arguments: [
            ("eng", "migration", "migrations"), ("ENG-us", "migration", "migrated"), ("deu", "Aufgabe", "Aufgaben"),
            ("ger-AT", "Aufgabe", "Aufgaben"), ("nob", "hus", "husene"), ("srp", "књига", "књиге"),
        ])
    func threeLetters(language: String, word: String, other: String) async throws {
        try await repository.upsert(ArticleDraft(slug: "a", title: "1", body: word, language: language))
        #expect(try await repository.count(ArticleQuery(text: other)) == 1)
    }

    @Test(
        "A text without a language is English unless it has more signs of another language",
        arguments: [
            ("Painting bicycles in winter", true), ("Bicycle repair checklist", true),
            ("Ideas for summer holidays", true),
            ("Notes on café culture and the weather", true), ("How to bake bread", true), ("Migrations", true),
            ("Jak to naprawić", false), ("Notatki to nie wszystko", false), ("Fietsen of wandelen in de winter", false),
            ("Het is of het regent", false), ("Wo ist der Schlüssel", false), ("Recettes de cuisine", false),
            ("Lista de la compra", false), ("Come fare il pane", false), ("Köp bröd och mjölk", false),
            ("Ostoslista", false),
            ("книга и ручка", false), ("東京の天気", false),
        ])
    func english(text: String, isEnglish: Bool) {
        #expect(EnglishText.isEnglish([text]) == isEnglish)
    }

    @Test("For a word that is not found, the index proposes a similar one")
    func suggestions() async throws {
        try await repository.upsert(
            ArticleDraft(slug: "a", title: "Migrations and coordinators", body: "swift database gigantic 日本"))
        for (text, meant) in [
            ("migratoins", "migrations"), ("swift Coordnators", "swift coordinators"), ("migrations", nil), ("x", nil),
            ("elephant", nil), ("-migratoins", nil), ("title:migratoins", "title:migrations"),
            // Words of texts, which may have a mistake in the second letter.
            ("databse", "database"), ("dtaabase", "database"), ("title:databse", nil),
            ("gigntac swft", "gigantic swift"),
            // Words that begin this way, and a wrong beginning of a word.
            ("coordinat", "coordinat*"), ("swift coordina", "swift coordina*"), ("migratoins*", "migrations"),
            ("migrat*", nil), ("\"coordinat\"", "\"coordinat\"*"), ("“coordinat” swift", "“coordinat”* swift"),
            ("swift \"coordinat", "swift \"coordinat\"*"), ("«coordinat» swift", "«coordinat»* swift"),
            // A character of a script without spaces is already the beginning of a word.
            ("elephant 日", nil),
        ] {
            let page = try await repository.list(ArticleQuery(text: text), after: nil, limit: 5)
            #expect(page.search?.suggestion == meant, "\(text)")
        }
    }

    @Test("Of two words that are equally similar, the more frequent one is proposed, in either alphabetical order")
    func frequentSuggestion() async throws {
        try await repository.upsert(
            ["carta", "carta", "carte", "porte", "porte", "porta"].enumerated().map { number, title in
                ArticleDraft(slug: "a\(number)", title: title, body: "text")
            })
        for (text, meant) in [("cartx", "carta"), ("portx", "porte")] {
            let page = try await repository.list(ArticleQuery(text: text), after: nil, limit: 5)
            #expect(page.search?.suggestion == meant)
        }
    }

    @Test("A search that ends early says so and returns its results")
    func cut() async throws {
        var random = SeededGenerator(seed: 6)
        try await repository.upsert((0..<100).map { draft($0, &random) })
        var hasty = repository
        hasty.bounds.candidates = 10
        let some = try await hasty.list(ArticleQuery(text: "b", sort: .relevance), after: nil, limit: 50)
        #expect(some.search?.isCut == true)
        #expect(some.summaries.count <= 20)
        (hasty.bounds.hard, hasty.bounds.empty) = (.zero, .zero)
        for sort in ArticleQuery.Sort.allCases {
            let none = try await hasty.list(ArticleQuery(text: "b c", sort: sort), after: nil, limit: 50)
            #expect(none.search?.isCut == true, "\(sort)")
        }
        // The list reaches its time limit in its order, and the latest articles are known.
        (hasty.bounds.soft, hasty.bounds.sorted) = (.seconds(3600), 5)
        for sort in ArticleQuery.Sort.allCases where sort != .relevance {
            let last = try await hasty.list(ArticleQuery(text: "b", sort: sort), after: nil, limit: 3)
            #expect(last.search?.isCut == true && last.summaries.count == 3, "\(sort)")
        }
        let all = try await repository.list(ArticleQuery(text: "b", sort: .relevance), after: nil, limit: 50)
        #expect(all.search?.isCut == false)
    }

    @Test(
        "A list by date or title finds the same articles in the same order, whatever part of the matches it reads",
        arguments: ArticleQuery.Sort.allCases.filter { $0 != .relevance }, [1, 1_000_000])
    func parts(sort: ArticleQuery.Sort, lookup: Int) async throws {
        var random = SeededGenerator(seed: 7)
        let days = Array(0..<120).shuffled(using: &random)
        let words = [("all", 1), ("half", 2), ("some", 7), ("few", 30)]
        let drafts = (0..<120).map { number in
            ArticleDraft(
                slug: "a\(number)", title: "\(days[119 - number]) \(number % 5 == 0 ? "named" : "other")",
                body: (words.filter { number % $0.1 == 0 }.map(\.0) + (number < 110 ? [] : ["late"]))
                    .joined(separator: " "),
                published: Date(timeIntervalSince1970: 1_600_000_000 + 86_400 * Double(days[number])))
        }
        // The order of arrival is another one than that of the lists.
        try await repository.upsert(drafts)
        let numbers = Dictionary(uniqueKeysWithValues: drafts.indices.map { ("a\($0)", $0) })
        var hasty = repository
        (hasty.bounds.first, hasty.bounds.sorted) = (5, 50)
        (hasty.bounds.small, hasty.bounds.lookup) = (0, lookup)
        let whole = try await repository.list(ArticleQuery(sort: sort), after: nil, limit: 500).summaries
        for (text, holds) in [
            ("all", { _ in true }), ("half", { $0 % 2 == 0 }), ("some half", { $0 % 14 == 0 }),
            ("few", { $0 % 30 == 0 }), ("half -few", { $0 % 2 == 0 && $0 % 30 != 0 }), ("half*", { $0 % 2 == 0 }),
            ("half n*", { $0 % 10 == 0 }), ("title:named", { $0 % 5 == 0 }), ("late", { $0 >= 110 }),
            ("absent", { _ in false }),
        ] as [(String, (Int) -> Bool)] {
            let expected = whole.map(\.slug).filter { numbers[$0].map(holds) ?? false }
            var (found, cursor): ([String], Cursor?) = ([], nil)
            repeat {
                let page = try await hasty.list(ArticleQuery(text: text, sort: sort), after: cursor, limit: 7)
                found += page.summaries.map(\.slug)
                cursor = page.next
            } while cursor != nil
            #expect(found == expected, "\(text)")
        }
    }

    @Test("A search without a result may take longer than one with results", arguments: ArticleQuery.Sort.allCases)
    func empty(sort: ArticleQuery.Sort) async throws {
        try await repository.upsert([ArticleDraft(slug: "a", title: "Word", body: "x")])
        var hasty = repository
        (hasty.bounds.hard, hasty.bounds.empty) = (.zero, .seconds(60))
        for text in ["word", "-other", "w*"] {
            let page = try await hasty.list(ArticleQuery(text: text, sort: sort), after: nil, limit: 5)
            #expect(page.summaries.count == 1, "\(text)")
        }
    }

    @Test("An article that the index lacks, or has in an old version, is not known to lack a word")
    func unknown() async throws {
        try await repository.upsert([
            ArticleDraft(slug: "with", title: "With", body: "word"),
            ArticleDraft(slug: "without", title: "Without", body: ""),
        ])
        func without() async throws -> [String] {
            let query = ArticleQuery(text: "-word", sort: .title)
            let listed = try await repository.list(query, after: nil, limit: 5).summaries.map(\.slug)
            #expect(try await repository.count(query) == listed.count)
            return listed
        }
        #expect(try await without() == ["without"])
        // As other programs write.
        try await storage.database.write { try $0.run("UPDATE article_body SET body = 'word' WHERE article_id = 2") }
        #expect(try await without() == [])
        try await storage.database.write { try SearchIndex(transaction: $0).clear() }
        #expect(try await without() == [])
        while try await repository.advanceSearch() > 0 {}
        #expect(try await without() == [])
        try await storage.database.write {
            try $0.run("UPDATE article_body SET body = 'x' WHERE article_id = 1")
            try $0.run("UPDATE article SET summary = 'x' WHERE id = 1")
        }
        while try await repository.advanceSearch() > 0 {}
        #expect(try await without() == ["with"])
    }
}
