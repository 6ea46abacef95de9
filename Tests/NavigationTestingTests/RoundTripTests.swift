import Navigation
import NavigationTesting
import Testing

@Suite("A round trip through a path")
struct RoundTripTests {
    /// Writes numbers above nine like another route.
    private enum Room: Route, Hashable {
        case hall
        case room(Int)

        enum Event: NavigationEvent { case entered }
        typealias Screen = String

        var flow: FlowKind { "house" }
        var screenName: String { "/room" }
        var path: String {
            switch self {
            case .hall: "/hall"
            case .room(let number): "/room/\(number % 10)"
            }
        }

        init?(path: String) {
            guard let number = path.split(separator: "/").last.flatMap({ Int($0) }) else { return nil }
            self = .room(number)
        }
    }

    @Test("A round trip is expected of every given route")
    func passes() throws {
        try expectRoundTrip((0..<10).map(Room.room))
    }

    @Test("A path that leads elsewhere, or nowhere, is an error that names the route")
    func fails() {
        let error = #expect(throws: RoundTripMismatch.self) { try expectRoundTrip([Room.room(1), .room(12), .hall]) }
        #expect(error?.failures.map(\.path) == ["/room/2", "/hall"])
        #expect(
            error?.description == """
                room(12) is written as /room/2, which reads as room(2).
                hall is written as /hall, which reads as no place.
                """)
    }
}
