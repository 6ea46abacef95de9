import AuthService
import CommonPasswords
import Testing

@Suite("PasswordPolicy")
struct PasswordPolicyTests {
    private func weakness(of password: String, username: String = "alice", minimum: Int = 8) throws
        -> PasswordWeakness?
    {
        do {
            try PasswordPolicy(minimumLength: minimum, commonPasswords: .all).check(
                Password(password), username: Username(username))
            return nil
        } catch AuthError.weakPassword(let weakness) {
            return weakness
        }
    }

    @Test(
        "A password that is hard to guess is accepted, whatever its characters",
        arguments: [
            "velvet-tundra-ostrich", "xK9#mQ2v", "correct horse battery staple", "Ночь, улица, фонарь, аптека",
            "月落烏啼霜滿天江楓漁火", "🦊🌵🎻🧊🚜🪁🥝🗿", "velvet\0tundra\0ostrich", " leading and trailing ", "tr0ub4dour&3",
        ])
    func accepted(password: String) throws {
        #expect(try weakness(of: password) == nil)
    }

    @Test(
        "A password that is easy to guess is refused with the reason",
        arguments: [
            ("p4s5w0rd#", .commonWord), ("password\0", .commonWord), ("ｐａｓｓｗｏｒｄ#", .commonWord),
            ("abcdefghijk", .sequence), ("1975-12-31", .date), ("alice2024!", .username), ("4lic3alice1", .username),
            // zxcvbn gives two of four points; the same word with two more characters has three.
            ("tr0ub4dour&", .commonWord),
        ] as [(String, PasswordWeakness.Pattern)])
    func guessable(password: String, pattern: PasswordWeakness.Pattern) throws {
        #expect(try weakness(of: password) == .guessable(pattern))
    }

    @Test(
        "The most common passwords are refused, however strong they look",
        arguments: [
            "password", "1g2w3e4r", "yahoo.com", "manchesterunited", "correcthorsebatterystaple",
            "Correcthorsebatterystaple", "P4SSW0RD",
            "ｐａｓｓｗｏｒｄ", "!qaz1qaz", "iloveyouiloveyou", "\"1,00001e+14\"", "zz8807zpl", "zzs000000",
        ])
    func common(password: String) throws {
        #expect(try weakness(of: password) == .common)
    }

    @Test("The standard policy refuses every common password that is long enough for it")
    func commonOfStandardLength() throws {
        for password in ["manchesterunited", "correcthorsebatterystaple", "1234567890qwertyuiop"] {
            #expect(throws: AuthError.weakPassword(.common)) {
                try PasswordPolicy().check(Password(password), username: Username("bob"))
            }
        }
        // The caller chooses the list: without the short rows, only the strength of the password counts.
        let policy = PasswordPolicy(minimumLength: 8, commonPasswords: .long)
        try policy.check(Password("zz8807zpl"), username: Username("bob"))
        #expect(try weakness(of: "zz8807zpl") == .common)
    }

    @Test("The names of the product and the host do not make a password stronger")
    func context() throws {
        let policy = PasswordPolicy(contextWords: ["Vexothrumble", "quorndaxley.example"])
        for password in ["vexothrumble2024", "VexoThrumble12345", "quorndaxley123456"] {
            try PasswordPolicy().check(Password(password), username: Username("bob"))
            #expect(throws: AuthError.weakPassword(.guessable(.context))) {
                try policy.check(Password(password), username: Username("bob"))
            }
        }
        #expect(throws: AuthError.weakPassword(.guessable(.username))) {
            try policy.check(Password("vexothrumble2024"), username: Username("vexothrumble"))
        }
        try policy.check(Password("velvet-tundra-ostrich"), username: Username("bob"))
    }

    @Test("The parts of the username do not make a password stronger")
    func partsOfUsername() throws {
        #expect(try weakness(of: "xanthopoulos1!", username: "bob") == nil)
        #expect(try weakness(of: "xanthopoulos1!", username: "bob.xanthopoulos") == .guessable(.username))
    }

    @Test(
        "A repeated piece counts as that piece",
        arguments: [
            "aaaaaaaa", "пппппппп", "🙂🙂🙂🙂🙂🙂🙂🙂", "4@3$4@3$4@3$", "xK9#mQ2xK9#mQ2",
            "e\u{301}\u{E9}e\u{301}\u{E9}e\u{301}\u{E9}e\u{301}\u{E9}",
        ])
    func repetition(password: String) throws {
        #expect(try weakness(of: password) == .repetition)
        #expect(try weakness(of: String(repeating: password, count: 10)) == .repetition)
    }

    @Test("A strong piece may be repeated, and a weak one is not better for it")
    func repeatedPiece() throws {
        #expect(try weakness(of: "xK9#mQ2vxK9#mQ2v") == nil)
        #expect(try weakness(of: "passwordpassword") == .common)
        #expect(try weakness(of: "p4s5w0rd#p4s5w0rd#") == .guessable(.commonWord))
    }

    @Test("Characters are code points, of letters with their accents")
    func characters() throws {
        #expect(try weakness(of: "xK9#mQ2") == .tooShort(minimum: 8))
        #expect(try weakness(of: "") == .tooShort(minimum: 8))
        // Seven, four, and four code points, so there is little to guess.
        #expect(try weakness(of: "👨‍👩‍👧‍👦🏳️‍🌈👩🏽‍🚀", minimum: 16) == .tooShort(minimum: 16))
        #expect(try weakness(of: "👨‍👩‍👧‍👦🏳️‍🌈👩🏽‍🚀", minimum: 15) == .guessable(.tooFewCharacters))
        #expect(try weakness(of: "e\u{301}a\u{308}o\u{302}u\u{308}n\u{303}c\u{327}z\u{30C}") == .tooShort(minimum: 8))
    }

    @Test("A policy may require more characters, never fewer")
    func minimum() throws {
        #expect(try weakness(of: "xK9#mQ2v", minimum: 15) == .tooShort(minimum: 15))
        #expect(try weakness(of: "velvet-tundra-ostrich", minimum: 15) == nil)
        #expect(PasswordPolicy().minimumLength == 15)
        #expect(PasswordPolicy(minimumLength: 1, commonPasswords: .all).minimumLength == 8)
        #expect(PasswordPolicy(minimumLength: .min, commonPasswords: .all).minimumLength == 8)
    }

    @Test("1,024 bytes are accepted, one more is not, and 10 MB are refused immediately")
    func maximum() throws {
        let sentence = "velvet tundra ostrich, maple quartz lantern; "
        let long = String(String(repeating: sentence, count: 30).prefix(1_023)) + "#"
        #expect(long.utf8.count == 1_024)
        #expect(try weakness(of: long) == nil)
        #expect(try weakness(of: long + "#") == .tooLong(maximumBytes: 1_024))
        #expect(try weakness(of: String(repeating: "x", count: 10_000_000)) == .tooLong(maximumBytes: 1_024))
        #expect(try weakness(of: String(repeating: "ﷺ", count: 342)) == .tooLong(maximumBytes: 1_024))
    }

    @Test(
        "The estimate ends in bounded time on a password that is made to delay it",
        arguments: [
            "a", "ab", "4@3$5!1|", "password", "qwerty", "1990", "21", "454", "\u{1}", "ﷺ", "e\u{301}\u{302}\u{303}",
        ])
    func hostile(piece: String) throws {
        let text = String(repeating: piece, count: 1_000 / piece.utf8.count) + "Z!"
        #expect(try weakness(of: text, username: "a1") != .tooLong(maximumBytes: 1_024))
    }

    @Test("Every weakness says how to do better")
    func hints() {
        let patterns: [PasswordWeakness.Pattern] = [
            .commonWord, .username, .context, .keyboard, .sequence, .date, .repetition, .tooFewCharacters,
        ]
        for weakness in [.tooShort(minimum: 8), .repetition, .common, .breached]
            + patterns.map(PasswordWeakness.guessable)
        {
            #expect("\(AuthError.weakPassword(weakness))".contains("word"))
        }
        #expect("\(PasswordWeakness.tooLong(maximumBytes: 1_024))".contains("1024 bytes"))
    }
}
