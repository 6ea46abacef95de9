public import Text

/// The date of an article whose source does not contain a readable date.
public struct AssumedDate: Sendable, Hashable, CustomStringConvertible {
    /// The origin of an assumed date.
    public enum Basis: String, Sendable, Hashable, CaseIterable {
        /// The name of the file or of its folder.
        case name
        /// The modification date that the source states.
        case updated
        /// The modification time of the file.
        case file
        /// The time of the import.
        case now
        /// The date that the article already has in the library.
        case library

        package var words: String {
            switch self {
            case .name: "taken from the file name"
            case .updated: "taken from the date of the last change"
            case .file: "taken from the modification time of the file"
            case .now: "taken from the time of the import"
            case .library: "kept as it is in the library"
            }
        }
    }

    /// The file that contains the article.
    public var source: String
    /// The line on which it begins, from 1; nil if it is the whole file.
    public var line: Int?
    /// The text of the date in the source; nil if it is missing.
    public var written: String?
    /// The date that was used; nil if the article keeps the date in the library.
    public var taken: Date?
    /// The origin of the date.
    public var basis: Basis

    /// Creates an assumed date.
    public init(source: String, line: Int?, written: String?, taken: Date?, basis: Basis) {
        self.source = source
        self.line = line
        self.written = written
        self.taken = taken
        self.basis = basis
    }

    /// A single line: `posts/a.md: no date: taken from the modification time of the file, 2015-12-03`.
    public var description: String {
        let problem = written.map { "“\($0)” is not a date" } ?? "no date"
        let day = taken.map { ", \(CivilDate($0))" } ?? ""
        return "\(source):\(line.map { "\($0):" } ?? "") \(problem): \(basis.words)\(day)".sanitized()
    }
}

/// The date that is used if the publication date cannot be read.
package struct DateFallback: Hashable {
    /// The text in the source; nil if there is none.
    package let written: String?
    /// The origin of the date that is used instead.
    package let basis: AssumedDate.Basis
    /// The date to use; nil for the time of the import. The modification time of a file is used only for a new article,
    /// because files are rewritten for many reasons.
    package let date: Date?

    package init(written: String?, basis: AssumedDate.Basis, date: Date?) {
        self.written = written
        self.basis = basis
        self.date = date
    }
}
