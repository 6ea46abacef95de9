/// A screen that the test does not expect.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ screen: some Any) { description = "\(screen) is shown" }
}
