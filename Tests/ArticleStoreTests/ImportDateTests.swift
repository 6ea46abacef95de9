import ArticleImporting
import SQLiteStores
import ArticleStore
import Foundation
import TestSupport
import Testing
import Text

@Suite("Dates of imported articles")
struct ImportDateTests {
    private let library: ImportFixture

    init() throws { library = try ImportFixture() }

    @Test(
        "Without a date in the text, the date of the file or folder name counts",
        arguments: [
            ("2015-12-03-name.md", "2015-12-03", "name", "Name"),
            ("2015-1-3_a_name.md", "2015-01-03", "a-name", "A name"),
            ("2015-12-03 My iPhone.md", "2015-12-03", "my-iphone", "My iPhone"),
            ("20151203-name.md", "2015-12-03", "name", "Name"),
            ("2015-12-03.md", "2015-12-03", "2015-12-03", "2015-12-03"),
            ("2015/12/03/name.md", "2015-12-03", "name", "Name"), ("2015/12/name.md", "2015-12-01", "name", "Name"),
            ("2015/name.md", "2015-01-01", "name", "Name"),
            ("2015/2015-12-03-name/index.md", "2015-12-03", "name", "Name"),
            ("2015/12/03/a-name/index.md", "2015-12-03", "a-name", "A name"),
            ("2015-12-03-conference/notes.md", "2015-12-03", "notes", "Notes"),
            ("2015-12-03-name.pt-br.md", "2015-12-03", "name", "Name"),
        ])
    func names(path: String, day: String, slug: String, title: String) async throws {
        let article = try await library.article("Text.", named: path)
        #expect(article.publishedText == day + "T00:00:00Z")
        #expect(article.slug == slug)
        #expect(article.title == title)
    }

    @Test(
        "Names that only look like a date are not used",
        arguments: [
            "2015-13-45-name.md", "12345678-name.md", "2015-12-031.md", "99999999.md", "1999.5.md", "2015/13/name.md",
        ])
    func noNames(path: String) async throws {
        try library.folder.write("in/" + path, "Text.")
        #expect(try await library.run("in").assumedDates.map(\.basis) == [.file])
    }

    @Test("Without any other date the file's own counts, and stays when the file is written again")
    func fileTime() async throws {
        let path = try library.folder.write("in/a.md", "# A\n\nText")
        try setTime(of: path, 1_449_144_061)
        let report = try await library.run("in")
        #expect(report.report.dateWarning?.hasPrefix("1 ") == true)
        #expect(
            report.assumedDates == [
                AssumedDate(
                    source: path, line: nil, written: nil, taken: Date(timeIntervalSince1970: 1_449_144_061),
                    basis: .file)
            ])
        #expect(try await library.article().publishedText == "2015-12-03T12:01:01Z")
        try setTime(of: path, 1_500_000_000)
        let again = try await library.run("in")
        #expect(again.unchanged == 1 && again.assumedDates == [])
        try library.folder.write("in/a.md", "# A\n\nMore text")
        #expect(try await library.run("in").updated == 1)
        #expect(try await library.article().publishedText == "2015-12-03T12:01:01Z")
    }

    @Test("An unreadable date does not reject an article, and each is named")
    func unreadable() async throws {
        let path = try library.folder.write(
            "in/a.jsonl",
            """
            {"id":"1","title":"A","body":"x","date":"2015-12-03"}
            {"id":"2","title":"B","body":"x","date":"2016-13-45"}
            {"id":"3","title":"C","body":"x","date":{"day":3}}
            {"id":"4","title":"D","body":"x","pubDate":"never","updated":"2016-01-01"}
            """)
        try setTime(of: path, 1_449_144_061)
        try library.folder.write("in/b/2015-12-03-name.md", "---\ndate: {{ now }}\n---\nText")
        let time = Date(timeIntervalSince1970: 1_449_144_061)
        let day = Date(timeIntervalSince1970: 1_449_100_800)
        let report = try await library.run("in")
        #expect(report.rejections.map(\.line) == [2])
        #expect(
            report.assumedDates == [
                AssumedDate(source: path, line: 2, written: "2016-13-45", taken: time, basis: .file),
                AssumedDate(source: path, line: 3, written: "{…}", taken: time, basis: .file),
                AssumedDate(
                    source: path, line: 4, written: "never", taken: Date(timeIntervalSince1970: 1_451_606_400),
                    basis: .updated),
            ])
        #expect(
            report.report.dateWarning?.contains(#/^3 .* 1 .* 2 /#) == true)
        try library.folder.write("in/b/2015-12-03-name.md", "---\ndate: soon\n---\nText")
        #expect(
            try await library.run("in/b").assumedDates == [
                AssumedDate(
                    source: library.folder.file("in/b/2015-12-03-name.md"), line: nil, written: "soon", taken: day,
                    basis: .name)
            ])
        // The unreadable date is kept with the article.
        #expect(try await library.article(keyed: "b/2015-12-03-name.md").extra == #"{"date":"soon"}"#)
    }

    @Test("If a date becomes unreadable, the article keeps its date, and is named")
    func becomesUnreadable() async throws {
        let path = try library.folder.write("a.md", "---\ndate: 2015-12-03 01:00 +0200\n---\nText")
        _ = try await library.run("a.md")
        try library.folder.write("a.md", "---\ndate: 3-12-2015\n---\nText")
        let report = try await library.run("a.md")
        #expect(
            report.assumedDates == [
                AssumedDate(source: path, line: nil, written: "3-12-2015", taken: nil, basis: .library)
            ])
        #expect(try await library.article().publishedText == "2015-12-03T01:00:00+02:00")
    }

    @Test("Input from a stream has the time of the import, which is reported too")
    func streams() async throws {
        let pipe = try FilledPipe("# A\n\nText")
        let report = try await ArticleImporter(repository: library.repository).runKeepingRejections([
            .descriptor(pipe.descriptor, name: "-")
        ])
        let article = try await library.article()
        #expect(
            report.assumedDates == [
                AssumedDate(source: "-", line: nil, written: nil, taken: article.published, basis: .now)
            ])
    }

    @Test(
        "A dry run reports assumed dates like an import, and a refused strict import does not",
        arguments: [true, false])
    func dryRun(isStrict: Bool) async throws {
        try library.folder.write("in/a.md", "# A\n\nText")
        if isStrict { try library.folder.write("in/b.md", "---\n") }
        let report = try await library.run("in", ImportOptions(isStrict: isStrict, isDryRun: !isStrict))
        #expect(report.report.assumedDates == (isStrict ? [:] : [.file: 1]))
    }

    @Test("A file's name also contains its language")
    func languages() async throws {
        for (name, language) in [
            ("a.fr.md", "fr"), ("b.pt-br.md", "pt-BR"), ("c.zh-hant.md", "zh-Hant"), ("d.js.md", nil), ("e.v2.md", nil),
        ] {
            #expect(try await library.article("Text.", named: name).language == language, "\(name)")
        }
        #expect(try await library.article("---\nlang: de\n---\nText.", named: "f.fr.md").language == "de")
    }

    private func setTime(of path: String, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
    }
}
