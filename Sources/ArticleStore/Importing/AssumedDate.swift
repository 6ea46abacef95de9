public import Essentials
import Text

/// The date of an article whose source says none that can be read.
public struct AssumedDate: Sendable, Hashable, CustomStringConvertible {
    /// The origin of an assumed date.
    public enum Basis: String, Sendable, Hashable, CaseIterable {
        /// The name of the file or of its folder.
        case name
        /// The date of change in the source.
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
    /// The text that the source has for the date; nil if it has none.
    public var written: String?
    /// The date that was taken; nil where the article keeps that of the library.
    public var taken: Date?
    /// The origin of the date.
    public var basis: Basis

    /// A date that was assumed.
    public init(source: String, line: Int?, written: String?, taken: Date?, basis: Basis) {
        self.source = source
        self.line = line
        self.written = written
        self.taken = taken
        self.basis = basis
    }

    /// A single line: `posts/a.md: no date: taken from the file's own time, 2015-12-03`.
    public var description: String {
        let problem = written.map { "“\($0)” is no date" } ?? "no date"
        let day = taken.map { ", \(CivilDate($0))" } ?? ""
        return "\(source):\(line.map { "\($0):" } ?? "") \(problem): \(basis.words)\(day)".sanitized()
    }
}

/// The substitute of a draft for a date of publication that cannot be read.
struct UnreadDate: Hashable {
    /// The text of the source; nil if there is none.
    let written: String?
    /// The origin of the date that is used instead.
    let basis: AssumedDate.Basis
    /// The date that is taken; nil for that of the import. Of a file's own time it is taken where the article is new: files are
    /// written anew for many reasons.
    let date: Date?
}
