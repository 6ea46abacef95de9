/// What an export says of itself.
public struct ExportOptions: Sendable, Hashable {
    /// What a list of feeds is called.
    public var title: String

    /// What an export says of itself.
    public init(title: String = "Articles") { self.title = title }
}
