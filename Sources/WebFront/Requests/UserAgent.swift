/// A browser's name in a few words, for the list of sessions.
enum UserAgent {
    /// Such as `Firefox on Linux`; `a browser` where it is not known.
    ///
    /// - Parameter text: the field `User-Agent`.
    static func name(_ text: String) -> String {
        // Each claims to be those after it.
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
