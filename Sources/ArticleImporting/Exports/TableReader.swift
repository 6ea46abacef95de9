import ArticleStore
import Text

/// Reads a table of articles or links in CSV: an export of Pocket or Instapaper, or any table whose first row has the
/// field names of JSON records (`title`, `url`, `body`, and so on).
struct TableReader: RecordSource {
    private var rows: CSVReader
    private var header: TableHeader?
    private var isBroken = false
    private(set) var skippedRecords = 0

    /// - Parameter limit: the maximum number of bytes of a row.
    init(_ bytes: ByteReader, limit: Int) throws {
        rows = try CSVReader(bytes, limit: limit)
    }

    mutating func next() throws -> SourceRecord? {
        while !isBroken, let row = try rows.next() {
            guard let header else {
                guard let header = TableHeader(row.fields) else {
                    isBroken = true
                    throw RecordError(
                        line: row.line,
                        "a table without a column title or url: the first row must contain the column names")
                }
                self.header = header
                continue
            }
            // Spreadsheet programs write empty rows.
            if row.fields.allSatisfy({ $0.trimmed.isEmpty }) { continue }
            guard row.fields.count == header.columns.count else {
                throw RecordError(
                    line: row.line,
                    "a row of \(row.fields.count) fields, but the table has \(header.columns.count) columns")
            }
            if let members = header.members(of: row.fields) {
                return SourceRecord(members, line: row.line, marks: header.marks(of: row.fields))
            }
            skippedRecords += 1
        }
        return nil
    }
}

/// The first row of a table, with the names of the columns.
struct TableHeader {
    private enum Kind { case pocket, instapaper, other }

    /// The names of the columns in lower case.
    let columns: [String]
    private let kind: Kind

    /// Nil if no column is a field of articles.
    init?(_ fields: [String]) {
        columns = fields.map { $0.trimmed.lowercased() }
        let names = Set(columns)
        if names.isSuperset(of: ["url", "title", "time_added"]) {
            kind = .pocket
        } else if names.isSuperset(of: ["url", "title", "selection", "folder"]) {
            kind = .instapaper
        } else if names.contains("url") || names.contains("title") {
            kind = .other
        } else {
            return nil
        }
    }

    /// Creates the header from the first line of a text; nil unless the line is clearly a header, with at least two
    /// known columns.
    init?(start: UnsafeBufferPointer<UInt8>) {
        // Without zero bytes and byte order marks, UTF-16 reads as ASCII.
        let line = start.prefix(2048).filter { $0 != 0 }.drop { $0 >= 0x80 }.prefix { $0 != 0x0A }.trimmed
        let delimiter = CSVReader.delimiter(of: line)
        let fields = line.split(separator: delimiter, omittingEmptySubsequences: false).map { field in
            String(decoding: field, as: UTF8.self).trimmed.drop { $0 == "\"" }.prefix { $0 != "\"" }
        }
        guard fields.count > 1, let header = TableHeader(fields.map(String.init)) else { return nil }
        let names = Set(header.columns)
        guard names.contains("url") || names.contains("title") && !names.isDisjoint(with: Self.bodies) else {
            return nil
        }
        self = header
    }

    /// Returns the members of a row; nil if it is not a page.
    func members(of fields: [String]) -> [JSON.Member]? {
        var values: [String: String] = [:]
        for (column, field) in zip(columns, fields) where !field.isEmpty { values[column] = field }
        let isLink = kind != .other || Self.bodies.allSatisfy { values[$0] == nil }
        guard isLink, let address = values["url"] else {
            return kind == .other
                ? zip(columns, fields).filter { !$1.isEmpty }.map { .init($0, .string($1)) } : nil
        }
        var link = SavedLink(address: address, title: values["title"])
        var taken: Set<String> = ["url", "title", "tags"]
        switch kind {
        case .pocket:
            link.saved = values["time_added"]
            link.tags = values["tags"]?.split(separator: "|").map(String.init) ?? []
            taken.insert("time_added")
        case .instapaper:
            link.saved = values["timestamp"]
            link.note = values["selection"]
            link.tags = values["tags"].map(Self.tags) ?? []
            if let folder = values["folder"], !["Unread", "Archive", "Starred"].contains(folder) {
                link.tags.append(folder)
                taken.insert("folder")
            }
            taken.formUnion(["timestamp", "selection"])
        case .other:
            taken.remove("tags")
        }
        let rest = zip(columns, fields).filter { !taken.contains($0) && !$1.isEmpty }
            .map { JSON.Member($0, .string($1)) }
        guard kind == .other else {
            link.extra = rest
            return link.members
        }
        return link.members.map { $0 + rest }
    }

    /// Returns the marks in a row of Pocket or Instapaper.
    func marks(of fields: [String]) -> SavedMarks {
        func value(_ column: String) -> String? { columns.firstIndex(of: column).map { fields[$0].lowercased() } }
        switch kind {
        case .pocket:
            return SavedMarks(
                isRead: value("status") == "archive",
                isStarred: value("favorite").map { JSON.string($0).isYes } ?? false)
        case .instapaper:
            return SavedMarks(
                isRead: value("folder") == "archive",
                isStarred: value("folder") == "starred" || value("starred").map { JSON.string($0).isYes } ?? false)
        case .other: return SavedMarks()
        }
    }

    /// Instapaper writes tags as a JSON array.
    private static func tags(_ text: String) -> [String] {
        var copy = text
        if case .array(let tags)? = copy.withUTF8({ try? JSONParser.value(of: $0) }) { return tags.compactMap(\.text) }
        return text.split(separator: ",").map(String.init)
    }

    private static let bodies: Set<String> = [
        "body", "content", "content_html", "content_text", "text", "html", "markdown", "body_markdown",
    ]
}
