internal import Text

extension [Date] {
    /// Creates the times that a JSON array of seconds since 1970 contains; nil if the text is not such an array.
    package init?(secondsInJSON text: String) {
        var text = text
        guard case .array(let numbers)? = text.withUTF8({ try? JSONParser.value(of: $0) }) else { return nil }
        self = numbers.compactMap { number in
            guard case .number(let digits) = number else { return nil }
            return Double(digits).map { Date(timeIntervalSince1970: $0) }
        }
    }

    /// The times as a JSON array of seconds since 1970.
    package var secondsAsJSON: String { "[" + map { String($0.wholeSeconds) }.joined(separator: ",") + "]" }
}
