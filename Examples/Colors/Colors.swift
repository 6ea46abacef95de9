import Navigation

/// Shows a screen with two buttons, and a yellow or a magenta screen: `colors [PATH]` in a terminal, `colors browser
/// [PORT]` in a browser.
@main
struct Colors {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "browser" {
            try await BrowserFront(port: arguments.dropFirst().first.flatMap { Int($0) } ?? 8080).run()
        } else if let place = ColorRoute(path: arguments.first ?? ColorRoute.first.path) {
            try await TerminalFront(start: place).run()
        } else {
            print("There is no such place. Places: /first, /second, /second/yellow, /second/magenta")
        }
    }
}
