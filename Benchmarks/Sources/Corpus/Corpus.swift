import ArticleStore
import Foundation

/// Articles of 4 KB, whose words have the frequencies of a natural language (Zipf).
public enum Corpus {
    /// Returns the article with a number. An article in a hundred is Chinese.
    public static func draft(_ number: Int, _ words: inout Words) -> ArticleDraft {
        let isChinese = number % 100 == 99
        func text(_ count: Int) -> String {
            (0..<count).map { _ in isChinese ? words.chinese() : words.next() }.joined(separator: isChinese ? "" : " ")
        }
        let body = (0..<10).map { _ in text(60) }.joined(separator: "\n\n")
        return ArticleDraft(
            slug: "article-\(number)", title: text(6), authors: ["\(words.next()) \(words.next())"], body: body,
            language: number % 3 == 0 ? "en" : "de",
            published: Date(timeIntervalSince1970: 946_684_800 + Double(number) * 60 + Double(words.below(500_000))),
            tags: [words.next(), "t\(words.below(100))"])
    }
}
