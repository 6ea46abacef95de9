/// The name of a section, such as `"library"`: a tab, or an entry of a sidebar.
public struct SectionID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, as diagrams, journals, and saved states show it.
    public let name: String

    /// Creates the name of a section.
    public init(_ name: String) {
        self.name = name
    }

    /// Creates the name of a section from a string literal.
    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// The name.
    public var description: String { name }
}

/// Declares a section of the application: a stack of its own, beside those of the other sections.
///
/// A ``Gate`` declares the sections in their order, so the sections may depend on the user. The name is not the type
/// `Section`, because SwiftUI has a view with that name.
public struct NavigationSection<R: Route>: Hashable, Sendable, Identifiable {
    /// The name of the section.
    public let id: SectionID

    /// The stack that the section shows first, and whenever its stack is empty.
    public let home: [R]

    /// Declares a section.
    public init(_ id: SectionID, home: [R]) {
        self.id = id
        self.home = home
    }
}

/// The effect of going back at the root of a section.
public enum BackAtRoot: Hashable, Sendable {
    /// Nothing happens: the user leaves the application, or stays.
    case leave
    /// The first section is selected. There, nothing happens.
    case firstSection
    /// The section that was selected before is selected. If there is none, nothing happens.
    case history
}
