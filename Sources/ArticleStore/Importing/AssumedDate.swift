public import Essentials
import Text

/// The date of an article whose source says none that can be read.
public struct AssumedDate: Sendable, Hashable, CustomStringConvertible {
    /// Where the date was taken from.
    public enum Basis: String, Sendable, Hashable, CaseIterable {
        /// The name of the file or of its folder.
        case name
        /// What the source says of when the article was changed.
        case updated
        /// When the file was written last.
        case file
        /// The moment at which the article came into the library.
        case now
        /// The library, where the article was already.
        case library

        var words: String {
            switch self {
            case .name: "taken from the name"
            case .updated: "taken from when it was changed"
            case .file: "taken from the file's own time"
            case .now: "taken from the time of the import"
            case .library: "left as it is in the library"
            }
        }
    }

    /// The file that the article is in.
    public var source: String
    /// The line that it begins in, from 1; nil where it is the file as a whole.
    public var line: Int?
    /// What the source says in the place of a date; nil where it says nothing.
    public var written: String?
    /// The date that was taken; nil where the article keeps that of the library.
    public var taken: Date?
    /// Where that is from.
    public var basis: Basis

    /// A date that was assumed.
    public init(source: String, line: Int?, written: String?, taken: Date?, basis: Basis) {
        self.source = source
        self.line = line
        self.written = written
        self.taken = taken
        self.basis = basis
    }

    /// One line: `posts/a.md: no date: taken from the file's own time, 2015-12-03`.
    public var description: String {
        let problem = written.map { "“\($0)” is no date" } ?? "no date"
        let day = taken.map { ", \(CivilDate($0))" } ?? ""
        return "\(source):\(line.map { "\($0):" } ?? "") \(problem): \(basis.words)\(day)".sanitized()
    }
}

/// What a draft has in the place of a date of publication that can be read.
struct UnreadDate: Hashable {
    /// What the source says; nil where it says nothing.
    let written: String?
    /// Where the date is taken from instead.
    let basis: AssumedDate.Basis
    /// The date that is taken; nil for that of the import. Of a file's own time it is taken where the article is new: files are
    /// written anew for many reasons.
    let date: Date?
}
