/// The options for the registration.
public struct SignUpOptions: Hashable, Sendable {
    /// The order of the questions.
    public enum Order: Hashable, Sendable {
        /// The name and the password on one page, then the region.
        case accountFirst
        /// The region, the name, and the password, each on its own page. `/signup/region` begins with the region in
        /// either order.
        case regionFirst
    }

    /// The order of the questions.
    public var order: Order
    /// Whether the new user is logged in at the end. A user who is logged in already stays logged in.
    public var logsIn: Bool

    /// Creates options. By default, the name and the password come first, and the user is logged in at the end.
    public init(order: Order = .accountFirst, logsIn: Bool = true) {
        self.order = order
        self.logsIn = logsIn
    }

    /// The first page.
    var first: AppRoute { order == .accountFirst ? .signUpAccount : .signUpRegion }
}
