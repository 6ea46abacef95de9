// Compares the main text of pages with the text that Mozilla's Readability finds.
//
// Usage: main-text-pages FOLDER [--write FOLDER]
//
// FOLDER has one folder for each page, with the files source.html, expected.html, and expected-metadata.json, as
// test/test-pages in https://github.com/mozilla/readability. With --write, the main texts are written to files.

import ArticleImporting
import ArticleStore
import Foundation
import Markup
import Text

/// The words of a text, each with its number. A Chinese or Japanese character counts as a word.
func words(inHTML html: String) -> [String: Int] {
    var words: [String: Int] = [:]
    var word = ""
    func end() {
        if !word.isEmpty { words[word, default: 0] += 1 }
        word = ""
    }
    let document = Article.Format.html.document(of: html)
    let text = ([document.blocks] + document.footnotes).map(\.text).joined(separator: "\n")
    for character in text.lowercased() {
        guard character.isLetter || character.isNumber else {
            end()
            continue
        }
        let isWide = character.unicodeScalars.first.map { (0x2E80...0xA4CF).contains($0.value) } ?? false
        if isWide { end() }
        word.append(character)
        if isWide { end() }
    }
    end()
    return words
}

struct Comparison {
    let expected: Int
    let present: Double
    let foreign: Double

    init(_ mine: [String: Int], _ expected: [String: Int]) {
        let shared = mine.reduce(0) { $0 + min($1.value, expected[$1.key] ?? 0) }
        let count = mine.values.reduce(0, +)
        self.expected = expected.values.reduce(0, +)
        present = self.expected == 0 ? 1 : Double(shared) / Double(self.expected)
        foreign = count == 0 ? 0 : Double(count - shared) / Double(count)
    }

    var isGood: Bool { present >= 0.95 && foreign <= 0.05 }
}

func percent(_ share: Double) -> String {
    let text = String(format: "%.1f", share * 100)
    return String(repeating: " ", count: max(0, 6 - text.count)) + text
}

/// The number of pages whose metadata state a fact, and of those with the expected fact.
struct Count {
    private var good = 0
    private var all = 0

    /// Counts a page if its metadata state a fact. White space does not matter.
    mutating func add(_ mine: String?, _ expected: Any?, _ isSame: (String, String) -> Bool = { $0 == $1 }) {
        guard let expected = expected as? String, !expected.isEmpty else { return }
        all += 1
        func collapsed(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        if let mine, isSame(collapsed(mine), collapsed(expected)) { good += 1 }
    }

    var text: String { "\(good) of \(all)" }
}

let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
    print("usage: main-text-pages FOLDER [--write FOLDER]")
    exit(64)
}
let folder = URL(fileURLWithPath: arguments[1])
let target = arguments.count == 4 && arguments[2] == "--write" ? URL(fileURLWithPath: arguments[3]) : nil
let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
var good = 0
var (titles, authors, languages, dates) = (Count(), Count(), Count(), Count())
let start = ContinuousClock.now
print("present %  foreign %   words  page")
for name in names {
    let page = folder.appendingPathComponent(name)
    guard let source = try? Data(contentsOf: page.appendingPathComponent("source.html")),
        let expected = try? Data(contentsOf: page.appendingPathComponent("expected.html"))
    else { continue }
    // The files are UTF-8, whatever the pages declare.
    let saved = try? SavedPage([UInt8](source), encoding: "utf-8", from: "http://fakehost/test/page.html")
    let html = saved?.draft.body ?? ""
    if let target { try Data(html.utf8).write(to: target.appendingPathComponent(name + ".html")) }
    let comparison = Comparison(words(inHTML: html), words(inHTML: String(decoding: expected, as: UTF8.self)))
    if comparison.isGood { good += 1 }
    let count = String(comparison.expected)
    print(
        "   \(percent(comparison.present))     \(percent(comparison.foreign))"
            + String(repeating: " ", count: max(1, 8 - count.count)) + count
            + "  \(name)\(comparison.isGood ? "" : "  <")")
    guard let data = try? Data(contentsOf: page.appendingPathComponent("expected-metadata.json")),
        let facts = try JSONSerialization.jsonObject(with: data) as? [String: Any], let draft = saved?.draft
    else { continue }
    titles.add(draft.title, facts["title"])
    // The expected text is often a whole line, such as “By Ada Lovelace”.
    authors.add(draft.authors.first, facts["byline"]) { $1.lowercased().contains($0.lowercased()) }
    languages.add(draft.language, facts["lang"]) { $0.lowercased() == $1.lowercased().replacing("_", with: "-") }
    dates.add(draft.published.map { RFC3339.string(from: $0) }, facts["publishedTime"]) { mine, expected in
        (try? DateParser.date(from: expected)).map { RFC3339.string(from: $0) } == mine
    }
}
print("\(good) of \(names.count) pages have at least 95 % of the words and at most 5 % others")
print("titles \(titles.text), authors \(authors.text), languages \(languages.text), dates \(dates.text)")
print("time: \(start.duration(to: .now))")
