/// A screen that is not the one a test waits for.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ screen: some Any) { description = "\(screen) is shown" }
}
