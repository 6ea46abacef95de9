/// A browser's name in a few words, for the list of sessions.
enum UserAgent {
    /// Returns a name such as `Firefox on Linux`, or `a browser` if it is unknown.
    ///
    /// - Parameter text: the value of the field `User-Agent`.
    static func name(_ text: String) -> String {
        // Each browser also contains the names of the following ones.
        let browsers = [
            ("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"),
            ("Chrome", "Chrome"), ("Safari", "Safari"),
        ]
        let systems = [
            ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS X", "Mac"),
            ("Linux", "Linux"),
        ]
        func first(_ names: [(mark: String, name: String)]) -> String? { names.first { text.contains($0.mark) }?.name }
        let browser = first(browsers) ?? "a browser"
        return first(systems).map { "\(browser) on \($0)" } ?? browser
    }
}
