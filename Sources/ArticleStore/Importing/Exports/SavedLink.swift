import Text

/// A page whose address the user saved, with the user's notes but without the page's text.
struct SavedLink {
    var address: String
    var title: String?
    /// The user's note, or the text that they highlighted on the page.
    var note: String?
    /// The date of saving, as it is written.
    var saved: String?
    /// The date of the last change to the link, as it is written.
    var changed: String?
    var tags: [String] = []
    /// The fields without a property in an article.
    var extra: [JSON.Member] = []

    /// The link as an article: its text is the note and the link. Nil if the address is not a page but a script, data,
    /// or a search of the browser.
    var members: [JSON.Member]? {
        let address = String(self.address.trimmed)
        let scheme = address.prefix(16).lowercased()
        guard !address.isEmpty, !["javascript:", "data:", "place:"].contains(where: scheme.hasPrefix) else {
            return nil
        }
        let title = (title ?? "").oneLine
        var members: [JSON.Member] = []
        if FeedLink.isWeb(address) { members.add("url", address) } else { members.add("id", address) }
        members.add("title", FeedTitle.cut(title.isEmpty ? address : title))
        var extra = extra
        if let saved, !saved.isEmpty {
            if let seconds = UnixTime.seconds(saved) {
                members.append(.init("date", seconds))
            } else if (try? DateParser.date(from: saved)) != nil {
                members.add("date", saved)
            } else if saved != "0" {
                extra.add("saved", saved)
            }
        }
        if let changed = changed.flatMap({ UnixTime.seconds($0) }) { members.append(.init("updated", changed)) }
        members.add("tags", tags.map { String($0.trimmed) }.filter { !$0.isEmpty })
        members.append(.init("content_html", .string(html(address))))
        members.add(extra: extra)
        return members
    }

    private func html(_ address: String) -> String {
        let note = note.map { WordPressText.paragraphs(of: XMLText.escapedForHTML(String($0.trimmed))) } ?? ""
        // A relative address means nothing outside of its site.
        guard address.prefix(32).contains(":") else { return note }
        let address = XMLText.escapedForHTML(address)
        return (note.isEmpty ? "" : note + "\n") + "<p><a href=\"\(address)\">\(address)</a></p>"
    }
}

/// Dates as browsers and link services store them: a number counted from 1970.
enum UnixTime {
    /// The number of microseconds from 1601 to 1970.
    private static let from1601: Int64 = 11_644_473_600_000_000

    /// Returns a count of seconds, milliseconds, microseconds, or nanoseconds in seconds. The size of the number shows
    /// its unit. Returns nil for other texts and for dates before 1973: such services are younger, and 0 means no date.
    static func seconds(_ text: some StringProtocol) -> JSON? {
        guard var count = Int64(text.split { $0 == "." }.first ?? "") else { return nil }
        switch count {
        // Chromium-based browsers count microseconds from 1601, and Windows counts tenths of microseconds.
        case from1601..<10 * from1601: count -= from1601
        case 10 * from1601..<1_000_000_000_000_000_000: count = count / 10 - from1601
        default: break
        }
        while count >= 100_000_000_000 { count /= 1000 }
        return count >= 100_000_000 ? .number(String(count)) : nil
    }
}
