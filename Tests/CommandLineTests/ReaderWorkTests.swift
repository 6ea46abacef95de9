import Foundation
import TestSupport
import Testing

@Suite("The reader during long work", .enabled(if: Screen.isAvailable))
struct ReaderWorkTests {
    /// Opens a reader at a place, in a terminal of a home. It waits for a lock as long as a test holds it, however late
    /// the test looks.
    private func read(_ path: String, in home: Home, _ story: (Screen) async throws -> Void) async throws {
        try await Screen.open(in: home) { screen in
            try await screen.type("articlesctl --busy-timeout 3600 read \(path); echo ended: $?")
            try await screen.wait(for: "help")
            try await story(screen)
        }
    }

    /// Holds the write lock of the library during `body`, as another process would.
    private func locked(_ home: Home, _ body: () async throws -> Void) async throws {
        let descriptor = open(home.database + "-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { releaseLock(of: descriptor) }
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        try await body()
    }

    @Test("A folder is imported from the list, and its articles are found there")
    func imported() async throws {
        let home = try await Home.signedIn()
        try home.write("posts/one.md", "---\ntitle: A kingfisher\n---\nBlue.\n")
        try home.write("posts/two.md", "---\ntitle: A heron\n---\nGrey.\n")
        try home.write("posts/three.json", "{")
        try await read("/articles", in: home) { screen in
            try await screen.press("i")
            try await screen.wait(for: "Import articles")
            try await screen.type("~/nothing")
            try await screen.wait(for: "/nothing does not exist")
            try await screen.press("C-u")
            try await screen.type("~/posts")
            try await screen.wait(for: "2 inserted, 0 updated, 0 unchanged, 1 rejected;")
            try await screen.wait(for: "/62")
            try await screen.type("/kingfisher")
            try await screen.wait(for: " 1/1")
            try await screen.press("Enter")
            try await screen.wait(for: "Blue.")
        }
    }

    @Test("Leaving a running import asks first, and then it continues, or stops and leaves nothing")
    func importLeft() async throws {
        let home = try await Home.signedIn()
        try home.write("new.md", "---\ntitle: A kingfisher\n---\nBlue.\n")
        try await read("/import", in: home) { screen in
            try await locked(home) {
                try await screen.type("new.md")
                try await screen.wait(for: "Importing …")
                try await screen.press("Escape")
                let question = try await screen.wait(for: "Stop the import?")
                #expect(question.contains("Continue importing") && !question.contains("Importing …"))
                try await screen.press("1")
                try await screen.wait(for: "Importing …")
                #expect(try await screen.text().contains("new.md"))
                try await screen.press("Escape")
                try await screen.wait(for: "Stop the import?")
                try await screen.press("2")
                try await screen.wait(for: " 1/60")
            }
        }
    }

    @Test("Quitting in another section leads to a running import first")
    func importElsewhere() async throws {
        let home = try await Home.signedIn()
        try await home.shell("mkfifo feed")
        try await Screen.open(in: home) { screen in
            try await screen.resize(columns: 170, rows: 24)
            try await screen.type("clear; articlesctl read /articles; echo ended: $?")
            try await screen.wait(for: " 1/60")
            try await screen.press("i")
            try await screen.wait(for: "Import articles")
            try await screen.press("C-u")
            try await screen.type("feed")
            try await screen.wait(for: "Importing …")
            // The first entry of the sidebar, in a terminal of which the sidebar has the first columns.
            for end in ["M", "m"] { try await screen.write("\u{1B}[<0;4;2\(end)") }
            try await screen.wait(for: "the unread articles") { $0.contains(" 1/60") }
            try await screen.press("q")
            let text = try await screen.wait(for: "This is still running, and ends if you quit now.")
            #expect(text.contains("Importing …"))
            try await screen.press("C-c")
            try await screen.wait(for: "ended: 0")
        }
    }

    @Test("An import from a silent pipe can be left, any number of times")
    func pipe() async throws {
        let home = try await Home.signedIn()
        try await home.shell("mkfifo feed")
        try home.write("new.md", "---\ntitle: A kingfisher\n---\nBlue.\n")
        try await read("/articles", in: home) { screen in
            // More often than there are worker threads.
            for _ in 0...ProcessInfo.processInfo.activeProcessorCount {
                try await screen.press("i")
                try await screen.wait(for: "Import articles")
                try await screen.press("C-u")
                try await screen.type("feed")
                try await screen.wait(for: "Importing …")
                try await screen.press("Escape")
                try await screen.wait(for: "Stop the import?")
                try await screen.press("2")
                try await screen.wait(for: " 1/60")
            }
            try await screen.press("i")
            try await screen.wait(for: "Import articles")
            try await screen.press("C-u")
            try await screen.type("new.md")
            try await screen.wait(for: "1 inserted")
        }
    }

    @Test("A delayed login says so, and Esc leaves it immediately, without a session")
    func logIn() async throws {
        let home = try await Home.prepared()
        try await read("/login", in: home) { screen in
            try await locked(home) {
                try await screen.type("ada")
                try await screen.type(Home.password)
                let busy = try await screen.wait(for: "Logging in …")
                #expect(busy.contains("Username: ada") && busy.contains("•••") && !busy.contains(Home.password))
                try await screen.press("Escape")
                let left = try await screen.wait(for: "Log in to read it.")
                #expect(!left.contains("Logging in"))
            }
            // The abandoned login has ended when another one succeeds.
            try await screen.press("Enter")
            try await screen.wait(for: "Username: ada")
            try await screen.type(Home.password)
            try await screen.wait(for: " 1/60")
        }
        #expect(try await home.sql("SELECT count(*) FROM session") == "2", "the one that was prepared, and this one")
    }

    @Test("Letters that are typed while another process writes are all searched for")
    func search() async throws {
        let home = try await Home.signedIn()
        try await read("/articles", in: home) { screen in
            try await screen.wait(for: " 1/60")
            try await locked(home) {
                for letter in ["/", "o", "f", "Space", "4", "2"] { try await screen.press(letter) }
                try await screen.wait(for: "the two of 42") { $0.contains("/of 42") && $0.contains(" 1/2\n") }
                try await screen.press("Enter")
                try await screen.press("Enter")
                try await screen.wait(for: "Body of 42.")
            }
        }
    }

    @Test("The reader updates the search index for another process while no key is pressed")
    func indexed() async throws {
        let home = try await Home.signedIn()
        // As after an import that was interrupted: the whole index is pending.
        _ = try await home.sql("UPDATE search_state SET version = 0")
        try await read("/articles", in: home) { screen in
            try await screen.wait(for: "an index of all articles") { _ in
                try await home.sql("SELECT indexed_to FROM search_state WHERE version > 0") == "60"
            }
            // And again, without any key.
            _ = try await home.sql("UPDATE search_state SET version = 0")
            try await screen.wait(for: "an index of all articles") { _ in
                try await home.sql("SELECT indexed_to FROM search_state WHERE version > 0") == "60"
            }
            try await screen.type("/of 42")
            try await screen.wait(for: " 1/2")
        }
    }

    @Test("Ctrl-C ends a command that waits for the library immediately, and a reader too")
    func interrupted() async throws {
        let home = try await Home.prepared()
        try await Screen.open(in: home) { screen in
            try await locked(home) {
                try await screen.type("articlesctl login ada")
                try await screen.wait(for: "Password:")
                try await screen.type(Home.password)
                try await screen.wait(for: "the wait for the lock") { _ in
                    try await home.shell(
                        #"grep -q -e "-> FLOCK.*:$(stat -c %i "$1") " /proc/locks"#, home.database + "-lock"
                    ).status == 0
                }
                try await screen.press("C-c")
                try await screen.type("echo ended: $?")
                try await screen.wait(for: "ended: 130")
                try await screen.type("clear; articlesctl read /login; echo left: $?")
                try await screen.wait(for: "Username:")
                try await screen.type("ada")
                try await screen.type(Home.password)
                try await screen.wait(for: "Logging in …")
                try await screen.press("C-c")
                try await screen.wait(for: "left: 0")
            }
        }
        #expect(home.tokenFiles.isEmpty)
    }

    @Test("The import screen exists only in the full-screen session, and elsewhere the command is named")
    func elsewhere() async throws {
        let home = try await Home.signedIn()
        for arguments in [["open", "/import"], ["open", "/import", "--json"], ["open", "/import", "--no-input"]] {
            let outcome = try await home.run(arguments)
            #expect(outcome.status == 64 && outcome.output.isEmpty)
            #expect(outcome.error.contains("articlesctl seed PATH"))
        }
    }
}
