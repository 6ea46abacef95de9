internal import ArticleStore

/// A sentence about what was done last.
public struct Notice: Sendable {
    /// The sentence.
    public let text: String
    /// Why it failed; nil when it is good news.
    public let error: (any Error)?

    /// How many there were of what was done, for a program; nil where that is no matter.
    public let count: Int?

    /// Good news.
    public init(_ text: String, count: Int? = nil) {
        self.text = text
        self.count = count
        error = nil
    }

    /// A failure, in its own words.
    public init(_ error: any Error) {
        text = "\(error)"
        self.error = error
        count = nil
    }

    /// Whether it tells that what a form changes is another than was seen, so that who sends the form once more knows it.
    public var tellsOfOtherChange: Bool {
        switch error {
        case is EditError, ScreenError.ownHasChanged?: true
        default: false
        }
    }
}
