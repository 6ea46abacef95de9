/// The number of a page of a list that is in memory, such as the list of sources.
public struct PageNumber: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The number of entries of a page.
    public static let size = 100
    /// The first page.
    public static let first: PageNumber = 1

    /// The number, from 1.
    public let value: Int

    /// Creates a number. A number beyond the permitted ones becomes the nearest of them.
    public init(_ value: Int) { self.value = min(max(1, value), Self.last) }

    /// Creates the number that a literal states.
    public init(integerLiteral value: Int) { self.init(value) }

    /// The highest number, so that the numbers of the entries do not overflow.
    private static let last = 1_000_000
}

extension PageNumber {
    /// The entries of the page among all entries.
    func range(of count: Int) -> Range<Int> {
        let start = min(count, (value - 1) * Self.size)
        return start..<min(count, start + Self.size)
    }

    /// Returns the number of the next page and the words of the link to it; nil if this page is the last one.
    func next(of count: Int) -> (page: PageNumber, label: String)? {
        let left = count - range(of: count).upperBound
        guard left > 0 else { return nil }
        return (PageNumber(value + 1), "The next \(min(left, Self.size)) of \(left) more")
    }

    /// The words for the title of a page that is not the first one.
    var title: String { self == .first ? "" : ", page \(value)" }

    private static let name = "page"

    /// The parameters of the path.
    var parameters: [(name: String, value: String)] { self == .first ? [] : [(Self.name, String(value))] }

    /// Reads the number from the parameters of a path, and removes it; nil if the number is invalid.
    init?(_ parameters: inout [String: String]) {
        guard let text = parameters.removeValue(forKey: Self.name) else {
            self = .first
            return
        }
        guard let value = Int(text), value > 0 else { return nil }
        self.init(value)
    }
}
