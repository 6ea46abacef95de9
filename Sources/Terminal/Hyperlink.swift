import Text

/// The link of a part of a screen, for terminals that follow links themselves (OSC 8).
public struct Hyperlink: Hashable, Sendable {
    /// The address as a URI without characters that control a terminal.
    let address: String
    /// The ID that all parts of a link share, for example if it continues on the next line.
    let id: String

    /// Nil unless the link is a web address or an e-mail address.
    ///
    /// - Parameters:
    ///   - link: the link as in the document.
    ///   - number: the number of the link in the document.
    public init?(_ link: String, number: Int) {
        guard Browser.isForBrowser(link) else { return nil }
        let address = Browser.address(of: link)
        // Terminals reject longer addresses: VTE has a limit of 2,083 bytes.
        guard address.utf8.count <= 2_083 else { return nil }
        self.address = address
        id = String(number)
    }

    /// The control sequence that begins the link.
    var start: String { "\u{1B}]8;id=\(id);\(address)\u{1B}\\" }
    /// The control sequence that ends any link.
    static let end = "\u{1B}]8;;\u{1B}\\"

    /// Returns whether the terminal is known to support links, judged by its name. Multiplexers such as screen and old
    /// versions of tmux (before 3.4) drop links or show their escape sequences.
    public static func areShown(environment: (String) -> String?) -> Bool {
        func version(_ name: String) -> [Int] {
            (environment(name) ?? "").split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
        }
        let kind = environment("TERM") ?? ""
        let program = environment("TERM_PROGRAM") ?? ""
        if environment("TMUX") != nil || kind.hasPrefix("screen") || kind.hasPrefix("tmux") {
            return program == "tmux" && !version("TERM_PROGRAM_VERSION").lexicographicallyPrecedes([3, 4])
        }
        if !Terminal.isCapable(environment: environment) || kind == "linux" || environment("STY") != nil {
            return false
        }
        let kinds = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "contour", "wezterm"]
        if kinds.contains(where: { kind == $0 || kind.hasPrefix($0 + "-") }) { return true }
        if ["iTerm.app", "WezTerm", "vscode", "ghostty", "mintty", "rio"].contains(program) { return true }
        // GNOME Terminal and other programs with VTE 0.50 or later; Windows Terminal.
        return (version("VTE_VERSION").first ?? 0) >= 5_000 || environment("WT_SESSION") != nil
    }
}
