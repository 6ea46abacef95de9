/// The version that every program of this package has.
package enum ProgramVersion {
    /// By <https://semver.org>.
    package static let number = "1.0.0"
    /// The day of that version.
    package static let date = "2026-11-21"
}
