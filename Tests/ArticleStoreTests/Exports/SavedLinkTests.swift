import Text
import ArticleImporting
import ArticleStore
import Foundation
import TestSupport
import Testing

@Suite("Lists of links")
struct SavedLinkTests {
    private static func link(_ address: String) -> String { "<p><a href=\"\(address)\">\(address)</a></p>" }

    // MARK: - Pocket

    private static let pocket = """
        <!DOCTYPE html>
        <html>
        \t<head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /><title>Pocket Export</title></head>
        \t<body>
        \t\t<h1>Unread</h1>
        \t\t<ul>
        \t\t\t<li><a href="https://a.example/?b=1&amp;c=2" time_added="1501238811" tags="sums,brass">Ada &amp; the <b>engine</b></a></li>
        \t\t\t<li><a href="https://b.example/" time_added="1501238812" tags="">https://b.example/</a></li>
        \t\t</ul>
        \t\t<h1>Read Archive</h1>
        \t\t<ul>
        \t\t\t<li><a href="https://c.example/" time_added="0" tags="">C</a></li>
        \t\t</ul>
        \t</body>
        </html>
        """

    @Test(
        "Pocket's HTML lists have links with a date and tags",
        arguments: ["ril_export.html", "ril_export"])
    func pocketHTML(name: String) async throws {
        let library = try ImportedLibrary()
        #expect(try await library.add(name, Self.pocket).inserted == 3)
        let article = try await library.article("Ada & the engine")
        #expect(article.key == "https://a.example/?b=1&c=2")
        #expect(article.sourceURL == "https://a.example/?b=1&c=2")
        #expect(article.body == Self.link("https://a.example/?b=1&amp;c=2"))
        #expect(article.format == .html)
        #expect(article.tags == ["sums", "brass"])
        #expect(article.date == "2017-07-28T10:46:51Z")
        #expect(article.extra == #"{"list":"unread"}"#)
        #expect(try await library.article("C").extra == #"{"list":"read archive"}"#)
    }

    @Test("Pocket's CSV lists have links with a date and tags")
    func pocketCSV() async throws {
        let library = try ImportedLibrary()
        let text = """
            title,url,time_added,tags,status
            "Ada, the ""engine""
            again",https://a.example/,1501238811,sums|brass,unread
            ,https://b.example/,1501238812,,archive

            """
        #expect(try await library.add("part_000000.csv", text).rejections == [])
        let article = try await library.article("Ada, the \"engine\" again")
        #expect(article.tags == ["sums", "brass"])
        #expect(article.date == "2017-07-28T10:46:51Z")
        #expect(article.body == Self.link("https://a.example/"))
        #expect(article.extra == #"{"status":"unread"}"#)
        #expect(try await library.article("https://b.example/").extra == #"{"status":"archive"}"#)
    }

    // MARK: - Instapaper

    @Test("Instapaper's lists have the highlighted text")
    func instapaper() async throws {
        let library = try ImportedLibrary()
        let text = """
            URL,Title,Selection,Folder,Timestamp,Tags\r
            https://a.example/,A,"One <b>.

            Two.",Unread,1700000000,"[""sums"",""brass""]"\r
            https://b.example/,B,,Engines,1700000001,[]\r
            https://c.example/,C,,Starred,,\r
            """
        #expect(try await library.add("instapaper-export.csv", text).rejections == [])
        let article = try await library.article("A")
        #expect(article.body == "<p>One &lt;b&gt;.</p>\n<p>Two.</p>\n" + Self.link("https://a.example/"))
        #expect(article.summary == "One <b>.")
        #expect(article.tags == ["sums", "brass"])
        #expect(article.date == "2023-11-14T22:13:20Z")
        #expect(article.extra == #"{"folder":"Unread"}"#)
        #expect(try await library.article("B").tags == ["Engines"])
        #expect(try await library.article("C").extra == #"{"folder":"Starred"}"#)
    }

    // MARK: - Bookmarks

    private static let bookmarks = """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <!-- This is an automatically generated file. <DT><A HREF="x"> -->
        <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
        <TITLE>Bookmarks</TITLE>
        <H1>Bookmarks</H1>
        <DL><p>
            <DT><A HREF="https://a.example/" ADD_DATE="1456433741" PRIVATE="1" TAGS="sums, two words" ICON="data:image/png;base64,AAAA">A</A>
            <DD>First line &lt;i&gt;,
        second line.

        Another paragraph.
            <DT><H3 ADD_DATE="1456433722">Engines</H3>
            <DD>What this folder is for
            <DL><p>
                <DT><A HREF="https://b.example/" ADD_DATE="1456433741123">B
        and more</A>
                <DT><H3>Brass</H3>
                <DL><p>
                    <DT><A HREF="https://c.example/" ADD_DATE="1519067075550809">C</A>
                </DL><p>
                <HR>
                <DT><A HREF="place:sort=8" ADD_DATE="1">Recent</A>
                <DT><A HREF="javascript:void(0)">Do it</A>
                <DT><A HREF="https://d.example/" ADD_DATE="13096671075550809">D</A>
            </DL><p>
            <DT><A HREF="?note" ADD_DATE="0">E</A>
            <DD>A note
        </DL><p>
        """

    @Test(
        "A browser's folders are tags of its bookmarks",
        arguments: ["bookmarks.html", "bookmarks", "b.txt"])
    func browser(name: String) async throws {
        let library = try ImportedLibrary()
        let report = try await library.add(name, Self.bookmarks)
        #expect(report.rejections == [])
        let articles = try await library.articles
        #expect(articles.map(\.title) == ["A", "B and more", "C", "D", "E"])
        #expect(articles.map(\.tags) == [["sums", "two words"], ["Engines"], ["Engines", "Brass"], ["Engines"], []])
        #expect(
            articles.prefix(4).map(\.date) == [
                "2016-02-25T20:55:41Z", "2016-02-25T20:55:41Z", "2018-02-19T19:04:35Z", "2016-01-07T20:11:15Z",
            ])
        #expect(
            articles[0].body == "<p>First line &lt;i&gt;,<br>\nsecond line.</p>\n<p>Another paragraph.</p>\n"
                + Self.link("https://a.example/"))
        #expect(articles[0].extra == #"{"private":"1"}"#)
        #expect(articles[1].body == Self.link("https://b.example/"))
        #expect(articles[4].body == "<p>A note</p>")
        #expect(articles[4].sourceURL == nil)
        #expect(try await library.add(name, Self.bookmarks).unchanged == 5)
    }

    /// As browsers write them: the browser's own folders around two links and the folder of the user.
    private static let shapes: [(String, String)] = [
        (
            "Firefox",
            """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src data: *"></meta>
            <TITLE>Bookmarks</TITLE>
            <H1>Bookmarks Menu</H1>

            <DL><p>
                <DT><H3 ADD_DATE="1600000000" LAST_MODIFIED="1600000000" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks Toolbar</H3>
                <DL><p>
                    <DT><A HREF="https://a.example/" ADD_DATE="1600000001" LAST_MODIFIED="1600000002" SHORTCUTURL="a" TAGS="x,y">A</A>
                    <DD>What it is
                    <HR>    <DT><H3 ADD_DATE="1600000000">Engines</H3>
                    <DL><p>
                        <DT><A HREF="https://b.example/?p=1&amp;q=&quot;2&quot;" ADD_DATE="1600000003">B &#39;n&#39; C</A>
                    </DL><p>
                    <DT><A HREF="place:type=6&amp;sort=14" ADD_DATE="1600000000">Recent Tags</A>
                </DL><p>
                <DT><H3 ADD_DATE="1600000000" UNFILED_BOOKMARKS_FOLDER="true">Other Bookmarks</H3>
                <DL><p>
                </DL><p>
            </DL>
            """
        ),
        (
            "Chrome",
            """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <!-- This is an automatically generated file.
                 It will be read and overwritten.
                 DO NOT EDIT! -->
            <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
            <TITLE>Bookmarks</TITLE>
            <H1>Bookmarks</H1>
            <DL><p>
                <DT><H3 ADD_DATE="1600000000" LAST_MODIFIED="0" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
                <DL><p>
                    <DT><A HREF="https://a.example/" ADD_DATE="1600000001" ICON="data:image/png;base64,iVBORw0KGgo=">A</A>
                    <DT><H3 ADD_DATE="1600000000" LAST_MODIFIED="1600000000">Engines</H3>
                    <DL><p>
                        <DT><A HREF="https://b.example/?p=1&q=%222%22" ADD_DATE="1600000003">B &#39;n&#39; C</A>
                    </DL><p>
                    <DT><H3 ADD_DATE="1600000000" LAST_MODIFIED="0">Nothing in it</H3>
                    <DL><p>
                    </DL><p>
                </DL><p>
                <DT><A HREF="javascript:(function(){alert(1)})()" ADD_DATE="1600000000">Do it</A>
            </DL><p>
            """
        ),
        (
            "Safari",
            """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            	<HTML>
            	<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
            	<Title>Bookmarks</Title>
            	<H1>Bookmarks</H1>
            	<DT><A HREF="https://a.example/">A</A>
            	<DT><H3 FOLDED>Engines</H3>
            	<DL><p>
            		<DT><A HREF="https://b.example/?p=1&amp;q=2">B 'n' C</A>
            	</DL><p>
            	<DT><H3 FOLDED id="com.apple.ReadingList">Reading List</H3>
            	<DL><p>
            	</DL><p>
            	</HTML>
            """
        ),
        (
            "without an end tag",
            "<dl><dt><a href=https://a.example/ add_date=1600000001>A<dt><h3>Empty<dt><h3>Engines<dl><dt>"
                + "<a href='https://b.example/' add_date=1600000003000>B 'n' C</dl>"
        ),
    ]

    @Test("Only folders that the user made are tags, not the browser's own", arguments: shapes)
    func folders(browser: String, text: String) async throws {
        let library = try ImportedLibrary()
        let report = try await library.add("bookmarks.html", text)
        #expect(report.rejections == [])
        let articles = try await library.articles
        #expect(articles.map(\.title) == ["A", "B 'n' C"])
        #expect(articles.map(\.tags) == [browser == "Firefox" ? ["x", "y"] : [], ["Engines"]])
        #expect(articles.last?.sourceURL?.hasPrefix("https://b.example/") == true)
        guard browser != "Safari" else { return }
        #expect(articles.map(\.date) == ["2020-09-13T12:26:41Z", "2020-09-13T12:26:43Z"])
        guard browser == "Firefox" else { return }
        #expect(articles[0].body.hasPrefix("<p>What it is</p>"))
        #expect(articles[0].updated.timeIntervalSince(articles[0].published) == 1)
        #expect(articles[0].extra == #"{"shortcuturl":"a"}"#)
        #expect(articles[1].sourceURL == "https://b.example/?p=1&q=\"2\"")
    }

    @Test(
        "Dates may have any common unit",
        arguments: [
            "1600000000", "1600000000000", "1600000000123456", "1600000000123456789", "13244473600000000",
            "132444736000000000", "1600000000.5", "2020-09-13T12:26:40Z",
        ])
    func units(date: String) async throws {
        let library = try ImportedLibrary()
        let text =
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF=\"https://a.example/\" ADD_DATE=\"\(date)\">A</A></DL>"
        #expect(try await library.add("a.html", text).assumedDates == [])
        #expect(try await library.article("A").date == "2020-09-13T12:26:40Z")
    }

    @Test("An entry without a link is reported")
    func withoutLinks() async throws {
        let library = try ImportedLibrary()
        let report = try await library.add(
            "a.html", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<H1>Bookmarks</H1>\n<DL><p></DL>")
        #expect(report.rejections.count == 1)
    }

    @Test("Lists are recognized without their first line, too")
    func withoutDoctype() async throws {
        let library = try ImportedLibrary()
        let text = Self.bookmarks.split(separator: "\n").dropFirst().joined(separator: "\n")
        #expect(try await library.add("a.html", text).inserted == 5)
    }

    @Test("Unclosed lists are read as far as possible")
    func open() async throws {
        let library = try ImportedLibrary()
        let text = """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            </DL></DL><DT><A HREF=https://a.example/ ADD_DATE='1456433741' x>A<DT><A HREF="https://b.example/">B</A></H3>
            <DL><DT><A>none</A><DD>Nothing<A HREF="https://c.example/">C</A><DD>x<
            """
        let report = try await library.add("a.html", text)
        #expect(report.rejections == [])
        #expect(try await library.articles.map(\.title) == ["A", "B", "C"])
        #expect(try await library.article("C").body == "<p>x&lt;</p>\n" + Self.link("https://c.example/"))
    }

    @Test("A list that is cut off yields the entries before that")
    func truncated() async throws {
        let text = Array(Self.bookmarks.utf8)
        for cut in stride(from: text.count - 1, to: 40, by: -29) {
            let library = try ImportedLibrary()
            let report = try await library.add("a.html", text.prefix(cut))
            #expect(report.rejected <= 1)
            #expect(report.inserted >= (cut < 1300 ? 0 : 3), "\(cut)")
        }
        let library = try ImportedLibrary()
        let report = try await library.add("a.html", Self.bookmarks.prefix { $0 != "," } + "<DT><A HREF=\"https")
        #expect(report.rejections.count == 1)
    }

    @Test("Lists in other encodings are read, and invalid bytes are reported with their line")
    func encodings() async throws {
        let library = try ImportedLibrary()
        let text = Self.bookmarks.replacing("Engines", with: "Mühle").replacing(">A<", with: ">Café<")
        let latin = try #require(text.replacing("UTF-8", with: "windows-1252").data(using: .windowsCP1252))
        #expect(try await library.add("a.html", latin).rejected == 0)
        #expect(try await library.article("Café").tags == ["sums", "two words"])
        #expect(try await library.article("C").tags == ["Mühle", "Brass"])
        let utf16 = try #require(text.data(using: .utf16))
        #expect(try await library.add("b.html", utf16).rejected == 0)
        let wrong = try #require(text.data(using: .isoLatin1))
        let report = try await library.add("c.html", wrong)
        #expect(report.rejections.first?.line == 7)
        #expect(report.rejections.first?.reason.hasSuffix(" UTF-8") == true)
    }

    @Test("Entries over the limit are reported, and those after them are read")
    func limits() async throws {
        let library = try ImportedLibrary()
        let long = String(repeating: "x", count: 300_000)
        let text = """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <DL><DT><A HREF="https://a.example/" ICON="\(long)">A</A>
            <DT><A HREF="https://b.example/">B</A><DD>\(long)
            <DT><A HREF="https://c.example/">C</A><DD>\(String(repeating: "<b>xxxxxxxxxxxxxxxx</b>", count: 20_000))
            <DT><A HREF="https://d.example/">D</A>
            """
        let report = try await library.add("a.html", text, ImportOptions(recordLimit: 100_000))
        #expect(report.rejected >= 2)
        #expect(try await library.articles.map(\.title).contains("D"))
    }

    // MARK: - Tables

    @Test("A table whose columns have known names yields articles")
    func tables() async throws {
        let library = try ImportedLibrary()
        let text = """
            \u{FEFF}Title,Slug,Body,URL,Tags,Date,Mood
            A,a-slug,"*a*

            b",https://a.example/,"x, y",2020-01-02,calm
            B,,,https://b.example/,,2020-01-03,
            "C","c","","","","",""
            """
        let report = try await library.add("table.csv", text)
        #expect(report.rejections.map(\.line) == [6])
        let article = try await library.article("A")
        #expect(article.body == "*a*\n\nb")
        #expect(article.format == .markdown)
        #expect(article.slug == "a-slug")
        #expect(article.tags == ["x", "y"])
        #expect(article.date == "2020-01-02T00:00:00Z")
        #expect(article.extra == #"{"mood":"calm"}"#)
        let link = try await library.article("B")
        #expect(link.body == Self.link("https://b.example/"))
        #expect(link.date == "2020-01-03T00:00:00Z")
    }

    @Test(
        "A row with missing or extra fields, without text, or without an end costs no other row")
    func wrongRows() async throws {
        let library = try ImportedLibrary()
        let rows = [
            "title,url", "", "A,https://a.example/,x", "B", "\"C\" d,https://c.example/", "D \"d\",https://d.example/",
            "\"E\n\nE", "E\",https://e.example/", "F\u{0},https://f.example/", "G", "H,https://h.example/", "\"I,",
            "J,K",
        ]
        let bytes = Array(rows.joined(separator: "\n").utf8).map { $0 == 0 ? 0xFF : $0 }
        let report = try await library.add("a.csv", bytes)
        #expect(report.rejections.map(\.line) == [3, 4, 11, 12, 14])
        #expect(report.rejections.first?.reason.contains(/3.*2/) == true)
        #expect(try await library.articles.map(\.title) == ["C d", "D \"d\"", "E E E", "H"])
    }

    @Test("A table without known columns is reported once")
    func withoutHeader() async throws {
        let library = try ImportedLibrary()
        let report = try await library.add("a.csv", "a,b\nc,d\ne,f\n")
        #expect(report.rejections.map(\.line) == [1])
    }

    @Test("A table may be divided by semicolons or tabs", arguments: [";", "\t"])
    func delimiters(delimiter: String) async throws {
        let library = try ImportedLibrary()
        let rows = [
            ["title", "url", "tags"], ["One, of two", "https://a.example/?a=1,2", "x, y"],
            ["\"Two\(delimiter)of \"\"two\"\"\"", "https://b.example/", ""], ["", " ", ""],
        ]
        let text = rows.map { $0.joined(separator: delimiter) + "\r\n" }.joined()
        #expect(try await library.add("a.csv", "\u{FEFF}" + text).rejections == [])
        // A title is one line, so a tab becomes a space.
        let second = delimiter == "\t" ? "Two of \"two\"" : "Two;of \"two\""
        #expect(try await library.articles.map(\.title) == ["One, of two", second])
        #expect(try await library.article("One, of two").tags == ["x", "y"])
        // In a folder, the first line determines whether it is such a table; in a stream nothing else does.
        try library.folder.write("f/links.csv", text)
        try library.folder.write("f/sums.csv", "year;sum\n1843;7\n")
        let report = try await library.add(path: library.folder.file("f"))
        #expect((report.inserted, report.skippedFiles) == (2, 1))
    }

    @Test("A table in a folder is read if it contains links or articles")
    func folder() async throws {
        let library = try ImportedLibrary()
        try library.folder.write("f/links.csv", "title,url\nA,https://a.example/\n")
        try library.folder.write("f/sums.csv", "year,sum\n1843,7\n")
        try library.folder.write("f/people.csv", "title,name\nMs,Ada\n")
        let report = try await library.add(path: library.folder.file("f"))
        #expect(report.inserted == 1)
        #expect(report.skippedFiles == 2)
        #expect(report.rejected == 0)
    }

    @Test("A table in pieces of any size is read as in one piece")
    func pieces() async throws {
        let library = try ImportedLibrary()
        var text = "url,title,body\r\n"
        for index in 0..<990 {
            let body = String(repeating: "é\"\",\r\n", count: index % 97)
            text += "https://a.example/\(index),T \(index),\"x\(body)\"\r\n"
        }
        let report = try await library.add("a.csv", text)
        #expect(report.inserted == 990)
        #expect(try await library.article("T 96").body == "x" + String(repeating: "é\",\r\n", count: 96))
    }
}

@Suite("Lists of links and the marks in exports")
struct ForeignMarkTests {
    private static let list = """
        <!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
        <DT><H3>History</H3><DL><p><DT><A HREF="https://a.example/" ADD_DATE="1501238811" TAGS="own">A</A></DL><p>
        <DT><A HREF="https://b.example/" ADD_DATE="1501238812" TOREAD="1">B</A>
        <DT><H3>Tools</H3><DL><p><DT><A HREF="https://a.example/" ADD_DATE="1501238811">A</A><DD>A note.</DL><p>
        </DL><p>
        """

    @Test("A bookmark in several folders is one article with the tags of all of them")
    func folders() async throws {
        let library = try ImportedLibrary()
        let report = try await library.add("bookmarks.html", Self.list)
        #expect(report.inserted == 2)
        #expect(report.rejections == [])
        #expect(try await library.article("A").tags == ["History", "own", "Tools"])
        #expect(try await library.article("A").body.contains("A note."))
        #expect(try await library.add("bookmarks.html", Self.list).unchanged == 2)
    }

    @Test(
        "An export of another program contains which articles are read, starred, and put aside",
        arguments: [
            (
                "w.json",
                """
                [{"is_archived":1,"is_starred":true,"title":"R","url":"https://e.example/1","content":"x"},
                {"is_archived":0,"is_starred":0,"title":"N","url":"https://e.example/2","content":"x"}]
                """, ["R": #"{"read":true,"starred":true}"#]
            ),
            (
                "p.csv",
                """
                title,url,time_added,tags,status
                R,https://e.example/1,1600000000,,archive
                N,https://e.example/2,1600000001,,unread
                """, ["R": #"{"read":true}"#]
            ),
            (
                "i.csv",
                """
                URL,Title,Selection,Folder,Timestamp
                https://e.example/1,R,,Archive,1600000000
                https://e.example/2,S,,Starred,1600000000
                https://e.example/3,N,,Unread,1600000000
                """, ["R": #"{"read":true}"#, "S": #"{"starred":true}"#]
            ),
            (
                "o.json",
                """
                [{"slug":"r","url":"https://e.example/1","title":"R","state":"Archived","readingProgress":0,"savedAt":"2024-01-01"},
                {"slug":"p","url":"https://e.example/2","title":"P","state":"Active","readingProgress":40,"savedAt":"2024-01-01"},
                {"slug":"n","url":"https://e.example/3","title":"N","state":"Active","readingProgress":0,"savedAt":"2024-01-01"}]
                """, ["R": #"{"read":true}"#, "P": #"{"place":400}"#]
            ),
            (
                "p.html",
                """
                <!DOCTYPE html><title>Pocket Export</title><h1>Unread</h1><ul><li><a href="https://e.example/1">N</a></ul>
                <h1>Read Archive</h1><ul><li><a href="https://e.example/2">R</a></ul>
                """, ["R": #"{"read":true}"#]
            ),
            ("b.html", list, ["B": #"{"later":true}"#]),
        ] as [(String, String, [String: String])])
    func marks(name: String, text: String, expected: [String: String]) async throws {
        let library = try ImportedLibrary()
        let path = try library.folder.write(name, text)
        // An unchanged export reports its marks again, because the earlier import may not have used them.
        for _ in 1...2 {
            #expect(try await library.marks(path: path) == expected)
        }
    }

    @Test("Each line of a list of addresses is a link, and the line of an invalid address is reported")
    func addresses() async throws {
        let library = try ImportedLibrary()
        let report = try await library.add(
            "urls.txt", "# Later\nhttps://e.example/1\n\n  https://e.example/2\r\nhttps://e.example/3")
        #expect(report.inserted == 3)
        #expect(try await library.articles.map(\.sourceURL) == (1...3).map { "https://e.example/\($0)" })
        let long = (1...2000).map { "https://e.example/\($0)" } + ["not an address"]
        #expect(
            try await library.add("long.txt", long.joined(separator: "\n")).rejections.map(\.line) == [2001])
        // A text that contains an address is a text.
        #expect(try await library.add("text.txt", "https://e.example/ is a site.\nIt is fine.").inserted == 1)
    }

    @Test("A record in JSON with an address and no text is a link")
    func jsonLinks() async throws {
        let library = try ImportedLibrary()
        let text = #"[{"url":"https://e.example/1","title":"One"},{"link":"https://e.example/2","tags":["x"]}]"#
        #expect(try await library.add("links.json", text).inserted == 2)
        let article = try await library.article("One")
        #expect(article.sourceURL == "https://e.example/1")
        #expect(article.body.contains(#"<a href="https://e.example/1">"#))
        // In a folder, a JSON object must have a title to be an article.
        try library.folder.write("in/package.json", #"{"name":"x","url":"https://e.example/3"}"#)
        #expect(try await library.add(path: library.folder.file("in")).skippedFiles == 1)
    }

    @Test("A document in an unsupported format is refused by name, and reported in a folder")
    func notations() async throws {
        let library = try ImportedLibrary()
        for name in ["in/a.org", "in/b.adoc", "in/c.rst"] { try library.folder.write(name, "Title\n=====\n\nText.\n") }
        let folder = try await library.add(path: library.folder.file("in"))
        #expect(folder.notRead.map(\.isDocument) == [true, true, true])
        #expect(folder.rejections == [])
        for name in ["in/a.org", "in/b.adoc", "in/c.rst"] {
            let report = try await library.add(path: library.folder.file(name))
            #expect(report.inserted == 0)
            #expect(report.rejections.count == 1)
        }
        #expect(
            try await library.add(path: library.folder.file("in/a.org"), ImportOptions(format: .text)).inserted == 1)
    }
}
