import FoundationEssentials
import TestSupport
import Testing

@testable import AuthService

@Suite("AttemptCounter")
struct AttemptCounterTests {
    private let policy = ThrottlePolicy()

    private func device(_ letter: String) throws -> DeviceToken {
        try #require(DeviceToken(String(repeating: letter, count: 42) + "A"))
    }

    @Test("Each common property of attempts is in the key of one counter only")
    func keys() throws {
        let (alice, bob) = (try Username("alice"), try Username("bob"))
        let (here, there) = (Origin("here"), Origin("there"))
        let networks = [Origin(address: "2001:db8:1:1::1"), Origin(address: "2001:db8:1:2::1")]
        let (phone, tablet) = (try device("A"), try device("B"))
        let sessions = [try #require(Session.ID("0123456789abcdef")), try #require(Session.ID("fedcba9876543210"))]
        var counters: [AttemptCounter] = []
        for name in [alice, bob] {
            counters += policy.ownCounters(of: name, from: here, as: .device(phone))
            counters += policy.ownCounters(of: name, from: here, as: .device(tablet))
            for origin in [here, there, networks[0], networks[1]] {
                counters += [policy.knownOriginCounter(origin, of: name)]
                counters += policy.guessCounters(for: name, from: origin)
            }
            counters += policy.sharedCounters(of: name, as: .newcomer) + policy.sharedCounters(of: name, as: .stranger)
        }
        for origin in [here, there, networks[0], networks[1]] {
            let own = policy.ownCounters(of: alice, from: origin, as: .newcomer)
            counters += own.dropFirst(policy.guessCounters(for: alice, from: origin).count).dropLast()
            counters += policy.registrationCounters(from: origin) + policy.resetCounters(from: origin)
        }
        for standing in [Standing.newcomer, .stranger] {
            counters += policy.ownCounters(of: alice, from: here, as: standing).suffix(1)
        }
        for user: User.ID in [1, 2] {
            counters += policy.codeCounters(of: user)
            for origin in [here, there] { counters += policy.codeCounters(of: user, from: origin, as: .origin) }
            for device in [phone, tablet] { counters += policy.codeCounters(of: user, from: here, as: .device(device)) }
        }
        counters += sessions.flatMap { policy.counters(of: $0) }
        counters += [policy.registrationTotal(after: 1), policy.registrationTotal(after: 4)]
        // Two networks have the same site in the counters of two names, of the origin, of registrations, and of codes.
        #expect(Set(counters.map(\.key)).count == counters.count - 5)
    }

    @Test("A known device has the same key everywhere, and a name has it in every spelling")
    func shared() throws {
        let (name, device) = (try Username("alice"), try device("A"))
        let home = policy.ownCounters(of: name, from: Origin("home"), as: .device(device))
        #expect(home == policy.ownCounters(of: try Username("ALICE"), from: Origin("away"), as: .device(device)))
    }

    @Test("Keys are those of released databases, so their counts continue")
    func released() throws {
        let counters = policy.ownCounters(of: try Username("alice"), from: Origin("192.0.2.7"), as: .newcomer)
        let keys = counters.prefix(2).map { counter in
            counter.key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        #expect(
            keys == [
                "f0d61cba013194376bb9cc712c493c4815464e4ea3f184b91b85ac941d90960c",
                "556ace06b756260267c1deadf95bebb36316180b42ab911bf8e21745be679d30",
            ])
    }
}
