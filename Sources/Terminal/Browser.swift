import CPlatform
import Text

/// A program that shows what is at an address.
public struct Browser: Hashable, Sendable {
    /// The program and its arguments; the address takes the place of `%s`, or comes last.
    private let arguments: [String]
    private let variables: [String]

    /// The first program that `BROWSER` names, in which colons stand between programs and `%s` for the address, as for
    /// xdg-open(1) and Python's webbrowser; else the one of the desktop, where there is a desktop. It is started without
    /// a shell.
    public init?(environment: (String) -> String?, inheriting variables: [String]) {
        self.variables = variables
        let named = environment("BROWSER")?.split(separator: ":").first ?? ""
        if !named.isEmpty {
            arguments = named.split(separator: " ").map(String.init)
        } else if environment("DISPLAY") != nil || environment("WAYLAND_DISPLAY") != nil {
            arguments = ["xdg-open"]
        } else {
            return nil
        }
        if arguments.isEmpty { return nil }
    }

    /// What it is called.
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
        guard Self.isForBrowser(link) else { return false }
        let link = Self.address(of: link)
        let isPlaced = arguments.contains { $0.contains("%s") }
        let command = arguments.map {
            $0.split(separator: "%s", omittingEmptySubsequences: false).joined(separator: link)
        }
        guard let child = startProgram(command + (isPlaced ? [] : [link]), environment: variables) else { return false }
        return platform_wait(child) == 0
    }
}
