#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @Suite("Secrets in the memory of a program", .enabled(if: Screen.isAvailable && geteuid() == 0))
    struct SecretMemoryTests {
        /// Returns whether the writable memory of a process contains some text. Only root may look: the program hides
        /// its memory.
        private func memory(of process: String, holds text: String) throws -> Bool {
            try ProcessMemory(of: process).holds(Array(text.utf8), masked: 0)
        }

        @Test("The reader's memory has no password after it is deleted or used to log in")
        func password() async throws {
            // An allocator overwrites the beginning of freed memory.
            let ending = "of nothing but words that nobody says"
            let password = "A sentence " + ending
            let home = try await Home.prepared()
            try #require(try await home.register("eve", password: password).status == 0)
            try await home.run("logout")
            try await Screen.open(in: home) { screen in
                try await screen.type("sh -c 'echo $$ >pid; exec articlesctl'")
                try await screen.wait(for: "Log in to read it.")
                try await screen.press("I")
                try await screen.wait(for: "Username:")
                try await screen.type("eve")
                try await screen.write(password)
                try await screen.wait(for: String(repeating: "•", count: password.count))
                let process = try String(contentsOfFile: home.path("pid"), encoding: .utf8).prefix { $0 != "\n" }
                #expect(try memory(of: String(process), holds: ending))
                try await screen.press("C-u")
                try await screen.wait(for: "no dot") { !$0.contains("•") }
                #expect(try !memory(of: String(process), holds: ending))
                try await screen.type(password)
                try await screen.wait(for: "PUBLISHED")
                #expect(try !memory(of: String(process), holds: ending))
            }
        }
    }
#endif
