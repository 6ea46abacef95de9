import CPlatform
import Text

/// A program that opens addresses.
public struct Browser: Hashable, Sendable {
    /// The program and its arguments. The address replaces `%s`, or is the last argument.
    private let arguments: [String]
    private let variables: [String]
    /// Whether the browser runs in the terminal and blocks it. Other browsers run separately, and the program does not
    /// wait for them.
    ///
    /// A terminal browser is recognized by its name. Without a desktop, every program counts as one.
    public let needsTerminal: Bool

    private static let forTerminals: Set = [
        "w3m", "lynx", "links", "links2", "elinks", "www-browser", "browsh", "carbonyl", "cha", "chawan", "edbrowse",
        "offpunk", "felinks", "retawq", "netrik",
    ]

    /// Creates the browser from the environment variable `BROWSER`. Its value is a list of programs separated by
    /// colons, of which the first is used, with `%s` for the address, as in xdg-open(1) and Python's webbrowser.
    /// Without it, the desktop's browser is used; nil without a desktop. The program is started without a shell.
    public init?(environment: (String) -> String?, inheriting variables: [String]) {
        self.variables = variables
        let hasDesktop = environment("DISPLAY") != nil || environment("WAYLAND_DISPLAY") != nil
        let named = environment("BROWSER")?.split(separator: ":").first ?? ""
        if !named.isEmpty {
            arguments = named.split(separator: " ").map(String.init)
        } else if hasDesktop {
            arguments = ["xdg-open"]
        } else {
            return nil
        }
        guard let program = arguments.first?.split(separator: "/").last else { return nil }
        needsTerminal = !hasDesktop || Self.forTerminals.contains(String(program))
    }

    /// The name of the program.
    public var name: String { arguments.first ?? "" }

    /// Whether a link is a web address or an e-mail address. Other links are never passed to a program, because the
    /// author of an article controls them.
    public static func isForBrowser(_ link: String) -> Bool {
        let scheme = link.prefix { $0 != ":" }.lowercased()
        return ["http", "https", "mailto"].contains(scheme) && scheme.utf8.count < link.utf8.count
    }

    /// Returns a link as a URI for programs (RFC 3986, section 2): invalid characters are encoded as UTF-8, and so is a
    /// `%` that does not begin an escape.
    static func address(of link: String) -> String {
        let bytes = Array(link.utf8)
        func isDigit(_ index: Int) -> Bool {
            bytes.indices.contains(index) && "0123456789ABCDEFabcdef".utf8.contains(bytes[index])
        }
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: result.append(byte)
            case _ where "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte): result.append(byte)
            case UInt8(ascii: "%") where isDigit(index + 1) && isDigit(index + 2): result.append(byte)
            default: result.appendPercentEncoded(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Opens the address, and returns whether the program succeeded.
    public func open(_ link: String) -> Bool {
        guard let command = command(for: link), let child = startProgram(command, environment: variables) else {
            return false
        }
        return platform_wait(child) == 0
    }

    /// Opens the address in a separate program, which neither uses the terminal nor receives its signals.
    ///
    /// - Parameters:
    ///   - link: the link as in the document.
    ///   - ended: called on another thread when the program ends, with whether it succeeded.
    /// - Returns: whether the program was started.
    public func start(_ link: String, ended: @escaping @Sendable (Bool) -> Void) -> Bool {
        guard let command = command(for: link) else { return false }
        return startProgramApart(command, environment: variables) { ended($0 == 0) }
    }

    /// Returns the program with its arguments; nil if the link must not be passed to a program.
    private func command(for link: String) -> [String]? {
        guard Self.isForBrowser(link) else { return nil }
        let link = Self.address(of: link)
        let isPlaced = arguments.contains { $0.contains("%s") }
        let command = arguments.map {
            $0.split(separator: "%s", omittingEmptySubsequences: false).joined(separator: link)
        }
        return command + (isPlaced ? [] : [link])
    }
}
