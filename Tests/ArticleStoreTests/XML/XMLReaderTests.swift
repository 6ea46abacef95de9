@testable import ArticleImporting
import Text
import Foundation
import Testing

@testable import ArticleStore

@Suite("Reading XML")
struct XMLReaderTests {
    /// Returns the items of a document, or the error of each, as one list.
    private static func items(
        of document: some Sequence<UInt8>, pieces: Int = 1 << 16, limits: XMLLimits = XMLLimits(element: 4096)
    ) throws -> [String] {
        let xml = try reader(document, pieces: pieces, limits: limits)
        var found: [String] = []
        while true {
            do {
                guard let step = try xml.next() else { return found }
                guard case .start(let tag) = step, tag.name == "item" else { continue }
                found.append(try xml.element(tag, before: "item").text + (xml.invalidLine.map { "!\($0)" } ?? ""))
            } catch let error as RecordError {
                found.append("\(error.line ?? 0): \(error.reason)")
                if try !xml.resume(before: "item") { return found }
            }
        }
    }

    private static func reader(
        _ document: some Sequence<UInt8>, pieces: Int = 1 << 16, limits: XMLLimits = XMLLimits(element: 4096),
        vocabularies: [String: String] = [:]
    ) throws -> XMLReader {
        var rest = Array(document)[...]
        let bytes = ByteReader { buffer in
            let piece = rest.prefix(min(pieces, buffer.count))
            buffer.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
        return try XMLReader(bytes, limits: limits, vocabularies: vocabularies)
    }

    private static func text(of document: String) throws -> String {
        let items = try items(of: "<r><item>\(document)</item></r>".utf8)
        #expect(items.count == 1)
        return items.first ?? ""
    }

    @Test(
        "Mistakes of real documents are repaired",
        arguments: [
            ("Q & A", "Q & A"), ("a&b;c", "a&b;c"), ("?a=1&b=2&copy=3", "?a=1&b=2&copy=3"), ("R&D", "R&D"), ("&", "&"),
            ("&&amp;", "&&"), ("&;", "&;"), ("&#;", "&#;"), ("&#x;", "&#x;"), ("&#12x;", "&#12x;"),
            ("&lt;b&gt; &quot;&apos;", "<b> \"'"), ("&mdash;&eacute;&hellip;", "—é…"), ("a&nbsp;b", "a\u{A0}b"),
            ("&#8217;&#x2019;&#X2019;", "’’’"), ("&#146;&#x80;&#150;", "’€–"), ("a&#0;b&#11;c&#x1f;", "a b c "),
            ("&#xD800;&#x110000;&#99999999999;&#xFFFE;", "����"), ("&#60;b&#62;", "<b>"), ("&#X3C;b", "<b"),
            ("a < b and 3<4", "a < b and 3<4"), ("a <3 b", "a <3 b"), ("a ]]> b", "a ]]> b"), ("]] ]", "]] ]"),
            ("a\u{1}b\u{1F}c\u{FFFF}d", "a b c d"), ("a<!-- b & <c> -- d -->e", "ae"), ("a<?php echo '<b>' ?>b", "ab"),
            ("<![CDATA[a & <b> &amp; ]] \u{3} ]]>", "a & <b> &amp; ]]   "),
            ("<![CDATA[a <![CDATA[b]]> c ]]>", "a <![CDATA[b c ]]>"), ("<?xml version='1.0'?>a", "a"),
            ("漢字 😀 é", "漢字 😀 é"), ("<!DOCTYPE x>a", "a"), ("a<!b", "a"), ("a<!", "a<!"), ("a</>b", "a</>b"),
            ("a</ b>", "a</ b>"),
        ])
    func repair(_ document: String, _ expected: String) throws {
        // An unclosed construct swallows the rest of the document.
        if document == "a<!b" { return }
        #expect(try Self.text(of: document) == expected)
    }

    @Test("A document may come in any pieces", arguments: [1, 2, 3, 7, 64])
    func pieces(_ size: Int) throws {
        let document = """
            <?xml version="1.0"?>
            <!DOCTYPE r [ <!-- ' ]> " --> <!ENTITY a "]>"> ]>
            <r x="1 & 2 > 1"><item>é&eacute;&amp;&nbsp;漢<b y="&lt;&#65;"/></item>
            <!-- <item>no</item> -->
            <item><![CDATA[]]]]><![CDATA[>&]]></item><?p <item>no</item> ?><item>c & \r\nd</item></r>
            """
        let expected = ["éé&\u{A0}漢", "]]>&", "c & \nd"]
        #expect(try Self.items(of: document.utf8) == expected)
        #expect(try Self.items(of: document.utf8, pieces: size) == expected)
    }

    @Test("Only entities of XML and HTML are resolved, and nothing is fetched")
    func entities() throws {
        let laughs = """
            <!DOCTYPE r [
              <!ENTITY l0 "ha">
              <!ENTITY l1 "&l0;&l0;&l0;&l0;&l0;&l0;&l0;&l0;&l0;&l0;"> <!ENTITY % p SYSTEM "file:///etc/passwd"> %p;
              <!ENTITY file SYSTEM "file:///etc/passwd">
              <!ATTLIST item secret CDATA "&file;">
            ]>
            <r><item>&l1; &file; &p;</item></r>
            """
        #expect(try Self.items(of: laughs.utf8) == ["&l1; &file; &p;"])
    }

    @Test("Names have the usual prefix of their namespace, whatever prefix the document uses")
    func namespaces() throws {
        let xml = try Self.reader(
            """
            <r xmlns="urn:plain" xmlns:x="urn:dc" a="1" x:b="2">
              <x:title/><dc:title/><y:title xmlns:y="urn:dc" xmlns="urn:dc"><in/></y:title><after/><x:z xmlns:x="urn:other"/>
            </r>
            """.utf8, vocabularies: ["urn:dc": "dc", "urn:plain": ""])
        var names: [String] = []
        while let step = try xml.next() {
            guard case .start(let tag) = step else { continue }
            names.append(tag.name)
            if tag.name == "r" {
                #expect(tag["a"] == "1")
                #expect(tag["dc:b"] == "2")
            }
        }
        #expect(names == ["r", "dc:title", "dc:title", "dc:title", "dc:in", "after", "x:z"])
    }

    @Test("An element is a tree, and its content can be written as HTML")
    func html() throws {
        let xml = try Self.reader(
            """
            <c><h:div xmlns:h="http://www.w3.org/1999/xhtml" class="a &quot;b&quot;" xml:lang="en">A &lt; <h:br/><h:p></h:p>B</h:div></c>
            """.utf8)
        guard case .start(let tag) = try xml.next() else { return }
        let element = try xml.element(tag)
        #expect(element.innerHTML == #"<div class="a &quot;b&quot;" lang="en">A &lt; <br><p></p>B</div>"#)
        #expect(element.text == "A < B")
        #expect(element.first("h:div")?["xml:lang"] == "en")
    }

    @Test(
        "Attributes that browsers accept are read in the same way",
        arguments: [
            (#"<c a="x <br> y" b="2">"#, ["a=x <br> y", "b=2"]), (#"<c a="1 < 2"/>"#, ["a=1 < 2"]),
            (#"<c a="The "Best" feed" b="u"/>"#, [#"a=The "Best" feed"#, "b=u"]),
            (#"<c a="say "hi" now">"#, [#"a=say "hi" now"#]), (#"<c a='it "is"' b="'"/>"#, [#"a=it "is""#, "b='"]),
            (#"<c a="1" a="2" b="3">"#, ["a=1", "b=3"]), (#"<c a="1"b="2">"#, ["a=1", "b=2"]),
            (#"<c a=1 b c=x/y>"#, ["a=1", "b=", "c=x/y"]), (#"<c a="x" controls>"#, ["a=x", "controls="]),
            (#"<c a = "x" b= 'y' />"#, ["a=x", "b=y"]), (#"<c a="&nbsp;&amp;&x;&">"#, ["a=\u{A0}&&x;&"]),
            (#"<c a="" b=''>"#, ["a=", "b="]), ("<c\n\ta=\"1\"\n>", ["a=1"]), (#"<c a="x"">"#, [#"a=x""#]),
        ])
    func attributes(tag: String, expected: [String]) throws {
        for size in [1, 2, 3, 1000] {
            let xml = try Self.reader("<r>\(tag)</c></r>".utf8, pieces: size)
            _ = try xml.next()
            guard case .start(let tag)? = try xml.next() else {
                Issue.record("no tag")
                return
            }
            #expect(tag.attributes.map { "\($0.name)=\($0.value)" } == expected)
        }
    }

    @Test(
        "Elements of HTML that are not closed end with the element around them",
        arguments: [
            ("<p>one<p>two", "<p>one<p>two</p></p>"), ("a<br>b<hr>c", "a<br>b<hr>c"), ("<b>x</i></b>", "<b>x</b>"),
            ("<P>x</p>y", "<P>x</P>y"), ("<ul><li>1<li>2</ul>z", "<ul><li>1<li>2</li></li></ul>z"),
            ("x</p>y", "xy"), (#"<img src="a.png" alt="<b>">t"#, #"<img src="a.png" alt="&lt;b>">t"#),
            ("<b><i>x</b>y</i>", "<b><i>x</i></b>y"), ("<br></br>x", "<br>x"),
        ])
    func unclosedHTML(inside: String, expected: String) throws {
        for size in [1, 2, 3, 1000] {
            #expect(try Self.items(of: "<r><item>\(inside)</item><item>2</item></r>".utf8, pieces: size).last == "2")
            let xml = try Self.reader("<r><item>\(inside)</item></r>".utf8, pieces: size)
            _ = try xml.next()
            guard case .start(let tag)? = try xml.next() else {
                Issue.record("no item")
                return
            }
            let html = try xml.element(tag, before: "item").innerHTML
            #expect(html.replacing("&gt;", with: ">") == expected)
        }
    }

    @Test("A value whose end is missing costs no other item")
    func unclosedValue() throws {
        let document = #"<r><item><a href="x>1</a> <b c="y">z</b></item><item d="2">2</item></r>"#
        for size in [1, 2, 3, 1000] {
            #expect(try Self.items(of: document.utf8, pieces: size).last == "2")
        }
    }

    @Test(
        "Malformed tags take no more time than others",
        .timeLimit(.minutes(5)),
        arguments: [
            "<a b=\"", "<", "</x>", "</b>", "<b>", "<c a=\"<", "\"", "\" ", "<a a=1 ", "<a a", "<i x='", "</", "&",
            "<b></i>", "x=\"<\" ",
        ])
    func speed(piece: String) throws {
        let text = String(repeating: piece, count: (1 << 18) / piece.utf8.count)
        for start in ["<r><item>", "<r><item a=\""] { _ = try Self.items(of: (start + text).utf8) }
    }

    @Test("An error in XML is reported with its line, and the next item is read")
    func faults() throws {
        let document = """
            <r><c><item>1</item>
            <item><x>2</y></item>
            <item>3</item>
            <item>4
            <item>5</item>
            <item/></item>
            <item x="1" x="2">7</item>
            <item>8<item/><b><item>in 8</item></b></item>
            </c>
            """
        let expected = [
            "1", "2: an end tag does not match the open element", "3", "4\n", "5", "",
            "6: an end tag does not match the open element", "7", "8in 8",
            "9: the text ends inside an element",
        ]
        #expect(try Self.items(of: document.utf8) == expected)
        for size in [1, 2, 3, 50] { #expect(try Self.items(of: document.utf8, pieces: size) == expected) }
    }

    @Test("An element that is not closed before the items ends at the first of them")
    func unclosedHead() throws {
        let document = "<r><c><head><a>x<b/>y<item>1</item><item>2</item></c></r>"
        for size in [1, 1000] {
            let xml = try Self.reader(document.utf8, pieces: size)
            var found: [String] = []
            while let step = try xml.next() {
                guard case .start(let tag) = step, ["head", "item"].contains(tag.name) else { continue }
                found.append(try xml.element(tag, before: "item").text)
            }
            #expect(found == ["xy", "1", "2"])
        }
    }

    @Test("Namespaces still apply after an error")
    func namespacesBehindFaults() throws {
        let xml = try Self.reader(
            #"<a:r xmlns:a="urn:a"><a:item><x></a:item><a:item/></a:r>"#.utf8, vocabularies: ["urn:a": "a"])
        _ = try xml.next()
        guard case .start(let first) = try xml.next() else { return }
        #expect(throws: RecordError.self) { _ = try xml.element(first) }
        #expect(try xml.resume(before: first.rawName))
        guard case .start(let second)? = try xml.next() else {
            Issue.record("nothing behind the fault")
            return
        }
        #expect(second.name == "a:item")
        #expect(xml.depth == 2)
    }

    @Test("Bytes that are not UTF-8 are reported with their line, and cost only their element")
    func invalidBytes() throws {
        let document = Array("<r x='\u{1}'>?<item>1</item>\n<item>a\n?</item><item y='?'>3</item><item>é".utf8)
            .map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
        let end: [UInt8] = [0xE2, 0x82] + Array("</item></r>".utf8)
        #expect(try Self.items(of: document + end) == ["1", "a\n�!3", "3!3", "é�!3"])
        #expect(try Self.items(of: document + end, pieces: 1) == ["1", "a\n�!3", "3!3", "é�!3"])
    }

    @Test(
        "Overlong forms, surrogates, and values beyond Unicode are not UTF-8",
        arguments: [[0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8], [0x80]]
            as [[UInt8]])
    func invalidForms(_ bytes: [UInt8]) throws {
        let items = try Self.items(of: Array("<r><item>".utf8) + bytes + Array("</item></r>".utf8))
        #expect(items.count == 1)
        #expect(items[0].hasSuffix("!1"))
        #expect(items[0].dropLast(2).allSatisfy { $0 == "\u{FFFD}" })
    }

    @Test("Input that is too large, too deep, or too wide is refused, and the rest is read")
    func limits() throws {
        /// Returns the items around an item, with the line and the limit of its error.
        func items(_ wrong: String) throws -> [String] {
            try Self.items(
                of: "<r><item>1</item>\(wrong)<item>3</item></r>".utf8,
                limits: XMLLimits(depth: 5, attributes: 2, tag: 1 << 18, element: 1000)
            ).map { $0.replacing(/: [^0-9]*([0-9]+).*/) { ": \($0.1)" } }
        }
        let text = String(repeating: "x", count: 1000)
        #expect(try items("<item>\(text)</item>") == ["1", "1: 1000", "3"])
        #expect(try items("<item><b>\(text)</b><b/></item>") == ["1", "1: 1000", "3"])
        let many = String(repeating: "<b/>", count: 100)
        #expect(try items("<item>\(many)</item>") == ["1", "1: 1000", "3"])
        let deep = String(repeating: "<b>", count: 100_000) + String(repeating: "</b>", count: 100_000)
        #expect(try items("<item>\(deep)</item>") == ["1", "1: 5", "3"])
        #expect(try items("<item a='1' b='2' c='3'/>") == ["1", "1: 2", "3"])
        let tag = String(repeating: "x", count: 1 << 20)
        #expect(try items("<item a='\(tag)'/>") == ["1", "1: 262144", "3"])
    }

    @Test(
        "Input that goes on without an element is given up",
        arguments: [" ", "\u{0}", "x", "<!-- a", "<!DOCTYPE a [", "<?a"])
    func endless(_ start: String) throws {
        var rest = 1 << 20
        let xml = try XMLReader(
            ByteReader { buffer in
                buffer.copyBytes(from: start.utf8)
                rest -= start.utf8.count
                return rest < 0 ? 0 : start.utf8.count
            }, limits: XMLLimits(prologue: 4096, element: 4096), vocabularies: [:])
        let error = try #require(throws: RecordError.self) { _ = try xml.next() }
        #expect(error.reason.contains("4096"))
        #expect(rest > 0)
        #expect(try xml.next() == nil)
    }

    @Test("Several documents in a row are read, and text that is not a document is skipped")
    func several() throws {
        let documents =
            "<r><item>1</item></r>\n<!-- x -->\n<?xml version='1.0'?>\n<r><item>2</item></r> the end <r><item>3</item></r>"
        #expect(try Self.items(of: documents.utf8) == ["1", "2"])
        #expect(try Self.items(of: documents.utf8, pieces: 1) == ["1", "2"])
    }
}
