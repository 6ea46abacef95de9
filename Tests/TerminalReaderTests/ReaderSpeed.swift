import FlowCoordinators
import Foundation
import Terminal
import TestSupport
import Testing

@testable import TerminalReader

/// Measures the time and the size of drawing a key: run with `ARTICLESCTL_MEASURE=1 swift test -c release --filter
/// ReaderSpeed`.
@Suite("The speed of the reader", .enabled(if: ProcessInfo.processInfo.environment["ARTICLESCTL_MEASURE"] != nil))
struct ReaderSpeed {
    @Test(
        "A key becomes bytes",
        arguments: [
            ("list, down", "j", 0), ("list, page", " ", 0), ("list, filter", "a", 3), ("article, line", "j", 1),
            ("article, page", " ", 1), ("form, letter", "x", 2),
        ], [Size(columns: 80, rows: 24), Size(columns: 200, rows: 60)])
    func key(what: (name: String, keys: String, screen: Int), size: Size) {
        let screens: [Screen] = [.articles(count: 1000), .article(paragraphs: 400), .login, .articles(count: 1000)]
        let clock = ContinuousClock()
        var view = ReaderView(screens[what.screen], size: size, theme: .standard)
        let layout = clock.measure { view = ReaderView(screens[what.screen], size: size, theme: .standard) }
        var state = view.fitted(ViewState())
        if what.screen == 3 { _ = view.handle(.character("/"), &state) }
        var old = view.draw(state)
        let first = FrameDiff.bytes(from: nil, to: old).count
        var times: [Duration] = []
        var bytes: [Int] = []
        for _ in 0..<40 {
            var decoder = InputDecoder()
            var output: [UInt8] = []
            times.append(
                clock.measure {
                    for event in decoder.decode(what.keys.utf8) { _ = view.handle(event, &state) }
                    let frame = view.draw(state)
                    output = FrameDiff.bytes(from: old, to: frame)
                    old = frame
                })
            bytes.append(output.count)
        }
        times.sort()
        bytes.sort()
        print(
            "\(size.columns)×\(size.rows) \(what.name): layout \(layout), key median \(times[20]), slowest \(times[39]);"
                + " first frame \(first) bytes, then median \(bytes[20]), most \(bytes[39])")
    }
}
