internal import FlowCoordinators

/// Words that each lead to the list of all that are filed under it. Rows share most of theirs, so a link is put together once a page.
struct WordLinks {
    private var made: [Filing: [String: HTML]] = [:]

    /// Adds the links of words, with commas between them.
    mutating func add(_ words: [String], of filing: Filing, to page: inout HTML) {
        for (place, word) in words.enumerated() {
            if place > 0 { page.add(", ") }
            if let link = made[filing]?[word] {
                page += link
            } else {
                let link: HTML = "<a href=\"\(filing.path(of: word))\">\(word)</a>"
                made[filing, default: [:]][word] = link
                page += link
            }
        }
    }
}
