import Foundation
import TestSupport
import Testing

@Suite("Too little memory, threads, and files")
struct LimitsTests {
    /// Whether strace can run a program and make its system calls fail.
    static let canTrace = Program.find("strace") != nil && (try? runProgram(["strace", "-qq", "true"]))?.status == 0

    private static let noThread = "strace -f -qq -o /dev/null -e inject=clone3,clone:error=EAGAIN "

    @Test("However little memory there is, a right password is not called wrong, and not counted")
    func memory() async throws {
        let home = try await Home.prepared()
        try home.write("password", Home.password)
        // The counters of the registration would expire by themselves.
        try await home.sql("DELETE FROM attempt_counter")
        // From too little to start to enough.
        var isShort = false
        for limit in stride(from: 60_000, through: 400_000, by: 10_000) {
            let outcome = try await home.shell(
                "ulimit -v \(limit); exec articlesctl login ada --password-stdin <password")
            #expect(outcome.status != 77, "\(limit)")
            if outcome.status == 0 { break }
            guard outcome.status == 75 else { continue }
            isShort = true
            #expect(outcome.error.contains("not enough free memory to check a password (64 MiB are needed)"))
            #expect(try await home.sql("SELECT count(*) FROM attempt_counter") == "0")
        }
        #expect(isShort)
        #expect(try await home.logIn("ada").status == 0)
    }

    @Test("Without new threads, everything works that needs none", .enabled(if: canTrace))
    func threads() async throws {
        let home = try await Home.migrated()
        try home.write("passwords", "\(Home.password)\n\(Home.otherPassword)\n")
        for command in [
            "register ada --region SE --password-stdin <passwords", "login ada --password-stdin <passwords", "list",
            "passwd --password-stdin <passwords", "sessions", "logout",
        ] {
            let outcome = try await home.shell(Self.noThread + "articlesctl \(command)")
            #expect(outcome.status == 0, "\(command): \(outcome.error)")
        }
        #expect(try await home.sql("SELECT count(*) FROM user, session") == "0")
    }

    @Test("Without new threads, a command still waits for a lock", .enabled(if: canTrace))
    func lockWithoutThreads() async throws {
        let home = try await Home.migrated()
        try home.write("a.md", "# A")
        let outcome = try await home.shell(
            #"exec flock "$1-lock" \#(Self.noThread) articlesctl seed a.md --busy-timeout 1"#, home.database)
        #expect(outcome.status == 75)
        #expect(outcome.error.contains("is being written by another process"))
    }

    @Test("Without new threads, the reader says so", .enabled(if: canTrace && Program.find("script") != nil))
    func reader() async throws {
        let home = try await Home.signedIn()
        let outcome = try await home.shell(
            "script -qec '\(Self.noThread) articlesctl read; echo ended: $?' /dev/null", environment: ["TERM": "xterm"])
        #expect(outcome.output.contains("cannot start a thread"))
        #expect(outcome.output.contains("ended: 75"))
    }

    @Test(
        "However few files may be open, a command ends with a message", .enabled(if: Program.find("prlimit") != nil),
        arguments: ["login ada --password-stdin <password", "fetch --allow-host 127.0.0.1"])
    func files(command: String) async throws {
        let home = try await Home.prepared()
        try home.write("password", Home.password)
        // Port 9 does not accept connections.
        try home.write("feeds.opml", "<opml><body><outline text='A' xmlUrl='http://127.0.0.1:9/'/></body></opml>")
        #expect(try await home.run("seed", "feeds.opml").status == 0)
        for limit in 6...24 {
            let outcome = try await home.shell("exec prlimit --nofile=\(limit) articlesctl \(command)")
            #expect([0, 69, 73, 74, 75].contains(outcome.status), "\(limit): \(outcome.status)")
            // A fetch that has enough files says first that the server does not accept connections.
            #expect(outcome.status == 0 || outcome.error.contains("articlesctl: "), "\(limit): \(outcome.error)")
        }
    }
}
