import Navigation

/// Shows the screens in a terminal, and reads the number of a button, `back`, or the end of the input.
struct TerminalFront {
    let start: ColorRoute

    private static let backgrounds = ["cyan": 46, "yellow": 43, "magenta": 45, "white": 47]

    func run() async throws {
        let navigator = try await makeNavigator(at: start)
        while let screen = try await navigator.screen() {
            show(screen, canGoBack: navigator.state.frames.count > 1)
            guard let line = readLine() else { return }
            if line == "back" {
                navigator.back()
            } else if let number = Int(line), screen.buttons.indices.contains(number - 1) {
                screen.eventOccurred(screen.buttons[number - 1])
                navigator.settle()
            } else {
                print("Enter the number of a button\(navigator.state.frames.count > 1 ? " or back" : "").")
            }
        }
    }

    private func show(_ screen: ColorRoute.Screen, canGoBack: Bool) {
        print("\u{1B}[30;\(Self.backgrounds[screen.color] ?? 49)m \(screen.title) \u{1B}[0m")
        for (number, button) in screen.buttons.enumerated() { print("  \(number + 1) \(button)") }
        if canGoBack { print("  back") }
    }
}
