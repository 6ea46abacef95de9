/// The version of all programs of this package.
package enum ProgramVersion {
    /// The number of the version (<https://semver.org>).
    package static let number = "1.0.0"
    /// The day of the version.
    package static let date = "2026-11-21"
}
