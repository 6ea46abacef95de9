import CPlatform
import Text

/// A program that shows what is at an address.
public struct Browser: Hashable, Sendable {
    /// The program and its arguments; the address takes the place of `%s`, or comes last.
    private let arguments: [String]
    private let variables: [String]
    /// Whether it is shown on the terminal, which it then has as long as it runs. Any other runs beside, and nobody waits for it.
    ///
    /// A browser for terminals is recognized by its name. Without a desktop, every program counts as one.
    public let needsTerminal: Bool

    private static let forTerminals: Set = [
        "w3m", "lynx", "links", "links2", "elinks", "www-browser", "browsh", "carbonyl", "cha", "chawan", "edbrowse",
        "offpunk", "felinks", "retawq", "netrik",
    ]

    /// The first program that `BROWSER` names, in which colons stand between programs and `%s` for the address, as for
    /// xdg-open(1) and Python's webbrowser; else the one of the desktop, where there is a desktop. It is started without
    /// a shell.
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

    /// Whether a link is an address on the web, or one to write to. Nothing else is given to a program: a link is what
    /// somebody wrote into an article.
    public static func isForBrowser(_ link: String) -> Bool {
        let scheme = link.prefix { $0 != ":" }.lowercased()
        return ["http", "https", "mailto"].contains(scheme) && scheme.utf8.count < link.utf8.count
    }

    /// A link as the URI that programs take (RFC 3986, section 2): what is allowed in none is encoded as UTF-8, and so is a `%` that
    /// begins no code.
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

    /// Shows the address, and says whether the program ended well.
    public func open(_ link: String) -> Bool {
        guard let command = command(for: link), let child = startProgram(command, environment: variables) else {
            return false
        }
        return platform_wait(child) == 0
    }

    /// Shows the address beside the terminal, which the program neither reads nor writes, nor gets the signals of.
    ///
    /// - Parameters:
    ///   - link: what to show, as a document has it.
    ///   - ended: called on another thread when the program ends, with whether it ended well.
    /// - Returns: whether it could be started.
    public func start(_ link: String, ended: @escaping @Sendable (Bool) -> Void) -> Bool {
        guard let command = command(for: link) else { return false }
        return startProgramApart(command, environment: variables) { ended($0 == 0) }
    }

    /// The program with its arguments; nil for what is not to be given to one.
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
