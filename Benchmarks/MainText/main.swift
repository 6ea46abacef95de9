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

let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
    print("usage: main-text-pages FOLDER [--write FOLDER]")
    exit(64)
}
let folder = URL(fileURLWithPath: arguments[1])
let target = arguments.count == 4 && arguments[2] == "--write" ? URL(fileURLWithPath: arguments[3]) : nil
let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
var good = 0
var metadata = (titles: 0, titleCount: 0, bylines: 0, bylineCount: 0, languages: 0, languageCount: 0, dates: 0, dateCount: 0)
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
    func check(_ key: String, _ mine: String?, _ isSame: (String, String) -> Bool = { $0 == $1 }) -> (Int, Int) {
        guard let written = facts[key] as? String, !written.isEmpty else { return (0, 0) }
        let value = written.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isGood = mine.map { isSame($0, value) } ?? false
        if !isGood, target != nil { print("    \(key): “\(mine ?? "none")”, expected “\(value)”") }
        return (isGood ? 1 : 0, 1)
    }
    let title = check("title", draft.title)
    metadata.titles += title.0
    metadata.titleCount += title.1
    let byline = check("byline", draft.authors.joined(separator: ", ")) { $1.lowercased().contains($0.lowercased()) }
    metadata.bylines += byline.0
    metadata.bylineCount += byline.1
    let language = check("lang", draft.language) { $0.lowercased() == $1.lowercased().replacing("_", with: "-") }
    metadata.languages += language.0
    metadata.languageCount += language.1
    let date = check("publishedTime", draft.published.map { RFC3339.string(from: $0) }) { mine, theirs in
        (try? DateParser.date(from: theirs)).map { RFC3339.string(from: $0) } == mine
    }
    metadata.dates += date.0
    metadata.dateCount += date.1
}
print("\(good) of \(names.count) pages have at least 95 % of the words and at most 5 % others")
print(
    "titles \(metadata.titles) of \(metadata.titleCount), authors \(metadata.bylines) of \(metadata.bylineCount), "
        + "languages \(metadata.languages) of \(metadata.languageCount), dates \(metadata.dates) of \(metadata.dateCount); "
        + "\(start.duration(to: .now))")
