import Text

/// A page that somebody has saved the address of, with no more of it than what they wrote beside it.
struct SavedLink {
    var address: String
    var title: String?
    /// The note of the person, or the text that they highlighted on the page.
    var note: String?
    /// When they saved it, as it is written.
    var saved: String?
    /// When they changed that, as it is written.
    var changed: String?
    var tags: [String] = []
    /// The fields without a property in an article.
    var extra: [JSON.Member] = []

    /// The link as an article: its text is what was written, and the link. Nil for what is no page but a program, a piece of data
    /// or a search of the browser's own.
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
        let note = note.map { WordPressText.paragraphs(of: XMLElement.escaped(String($0.trimmed))) } ?? ""
        // An address inside another site says nothing here.
        guard address.prefix(32).contains(":") else { return note }
        let address = XMLElement.escaped(address)
        return (note.isEmpty ? "" : note + "\n") + "<p><a href=\"\(address)\">\(address)</a></p>"
    }
}

/// Dates as browsers and such services keep them: a count since 1970.
enum UnixTime {
    /// How many microseconds there are from 1601 to 1970.
    private static let from1601: Int64 = 11_644_473_600_000_000

    /// A count of seconds, milliseconds, microseconds or nanoseconds, which is told by how large it is, in seconds; nil for any
    /// other text, and for what was before 1973: no such service is that old, and 0 stands for none.
    static func seconds(_ text: some StringProtocol) -> JSON? {
        guard var count = Int64(text.split { $0 == "." }.first ?? "") else { return nil }
        switch count {
        // Browsers made from Chromium count their microseconds from 1601, and Windows tenths of them.
        case from1601..<10 * from1601: count -= from1601
        case 10 * from1601..<1_000_000_000_000_000_000: count = count / 10 - from1601
        default: break
        }
        while count >= 100_000_000_000 { count /= 1000 }
        return count >= 100_000_000 ? .number(String(count)) : nil
    }
}
