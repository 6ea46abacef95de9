/// The version of an object that a form edits. It stays the version that the form first showed, until the user is told about
/// a change from elsewhere.
struct FormVersion {
    private var shown: (place: AppRoute, version: String)?
    /// The form whose user was told about a change from elsewhere.
    private var conflict: AppRoute?

    /// Returns the version that the form at a place first showed. If it is not shown yet, that is the present one.
    mutating func first(_ present: @autoclosure () -> String, at place: AppRoute) -> String {
        if let shown, shown.place == place { return shown.version }
        let version = present()
        shown = (place, version)
        return version
    }

    /// Makes the next form show the present version, after the object was saved.
    mutating func forget() { shown = nil }

    /// Makes the form show the present version and a warning.
    mutating func tellConflict(at place: AppRoute) { (shown, conflict) = (nil, place) }

    /// Whether the user of the form at a place was told about a change from elsewhere.
    func hasConflict(at place: AppRoute) -> Bool { conflict == place }
}
