import Arguments
import ArticleStore
import Text

extension ParsedCommand {
    /// Returns the value of an option as a time.
    ///
    /// - Throws: `UsageError` if it is not a time.
    func date(_ name: String) throws(UsageError) -> WrittenDate? {
        guard let text = value(name) else { return nil }
        if let date = try? DateParser.written(from: text) { return date }
        guard let date = RelativeDate.date(from: text, now: now) else {
            throw error(.invalidValue(of: "--" + name, value: text, expected: RelativeDate.expectation))
        }
        return WrittenDate(date: date)
    }

    /// Returns the value of an option as the name of a source.
    ///
    /// - Throws: `UsageError` if it is not a valid name.
    func sourceName(_ name: String) throws(UsageError) -> String? {
        guard let text = value(name) else { return nil }
        do {
            return try SourceFacts.checkedName(text)
        } catch {
            throw self.error(.other("\(error)"))
        }
    }

    /// Returns the value of an option as a web address.
    ///
    /// - Throws: `UsageError` if it is not a web address.
    func webAddress(_ name: String) throws(UsageError) -> String? {
        guard let text = value(name) else { return nil }
        guard let address = WebAddress.valid(text) else {
            let expected = "an http or https address, such as https://example.org/blog/"
            throw error(.invalidValue(of: "--" + name, value: text, expected: expected))
        }
        return address
    }
}
