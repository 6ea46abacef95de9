import AuthService
import FlowCoordinators
import ArticleStore
import Testing

@Suite("The appearance")
struct AppearanceTests {
    @Test("The theme is chosen from a list, applies immediately, and is stored for the user's sessions")
    func chosen() async throws {
        let application = try await Application()
        try await application.register("ada")
        try await application.coordinator.start(at: .appearance)
        #expect(application.coordinator.appearance == .default)
        try await application.logIn("ada")
        #expect(application.stack == ["/account", "/appearance"])
        #expect(
            try await application.screen.list?.rows.map(\.cells[0].text) == ["default", "dark", "light", "contrast"])
        let before = try await application.screen.list?.rows.map(\.cells[1]) ?? []
        try await application.chooseRow("dark")
        #expect(application.coordinator.appearance == .dark)
        #expect(application.place == "/appearance")
        // The rows say which theme is chosen.
        let after = try await application.screen.list?.rows.map(\.cells[1]) ?? []
        #expect(zip(before, after).map { $0 != $1 } == [true, true, false, false])

        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.coordinator.appearance == .dark)
        let elsewhere = try await Application(sharing: application)
        try await elsewhere.coordinator.start(at: .login())
        try await elsewhere.logIn("ada")
        #expect(elsewhere.coordinator.appearance == .dark)
    }

    @Test("The width of the text is stored with the place, for all of the user's sessions")
    func textWidth() async throws {
        let application = try await Application()
        try await application.register("ada")
        try await application.coordinator.start(at: .appearance)
        try await application.logIn("ada")
        #expect(application.coordinator.textWidth == TextWidth(columns: 72))
        application.coordinator.textWidth = TextWidth(columns: 84)
        try await application.chooseRow("dark")
        try await application.saveBookmark()
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.coordinator.textWidth == TextWidth(columns: 84) && next.coordinator.appearance == .dark)
        // A value that does not change is not written.
        let user = try #require(next.coordinator.currentUser.session?.user.id)
        try await next.reading.savePreferences("light 100", ofUser: user)
        try await next.saveBookmark(positions: ["/appearance": "1"])
        #expect(try await next.reading.preferences(ofUser: user) == "light 100")
        try await next.reading.savePreferences("7 solarized 9999999999999999999999", ofUser: user)
        let strange = try await application.restarted()
        try await strange.coordinator.start()
        #expect(strange.coordinator.textWidth == TextWidth(columns: 40) && strange.coordinator.appearance == .default)
        #expect(TextWidth(columns: .max).columns == 200)
    }

    @Test("The size of the text is chosen in steps, and is stored for the user beside the theme and the width")
    func textSize() async throws {
        let application = try await Application()
        try await application.register("ada")
        try await application.coordinator.start(at: .appearance)
        try await application.logIn("ada")
        application.coordinator.textWidth = TextWidth(columns: 84)
        for _ in 0..<3 { try await application.choose("larger-text") }
        #expect(application.coordinator.textSize == .largest)
        #expect(try await application.screen.actions.map(\.id) == ["smaller-text"])
        try await application.choose("smaller-text")
        try await application.chooseRow("dark")
        try await application.saveBookmark()
        let user = try #require(application.coordinator.currentUser.session?.user.id)
        #expect(try await application.reading.preferences(ofUser: user) == "dark 84 size-130")
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.coordinator.textSize == .larger && next.coordinator.textWidth == TextWidth(columns: 84))
        for strange in ["size-", "size-101", "size-x"] {
            try await next.reading.savePreferences(strange, ofUser: user)
            let other = try await application.restarted()
            try await other.coordinator.start()
            #expect(other.coordinator.textSize == .default)
        }
    }

    @Test("The theme is not shared with another user, and stays on the screens between two users")
    func otherUser() async throws {
        let application = try await Application()
        try await application.register("ada")
        try await application.register("eve")
        try await application.coordinator.start(at: .appearance)
        try await application.logIn("ada")
        try await application.chooseRow("contrast")
        try await application.coordinator.start(at: .account)
        try await application.choose("log-out")
        #expect(application.coordinator.appearance == .contrast)
        try await application.logIn("eve")
        #expect(application.coordinator.appearance == .default)
    }

    @Test("The theme is that of the restored session, and is read once for its user")
    func takenUp() async throws {
        let application = try await Application()
        let ada = try await application.register("ada")
        let eve = try await application.register("eve")
        let other = try await Application(sharing: application)
        try await other.coordinator.start(at: .login())
        try await other.logIn("eve")
        try await application.coordinator.start(at: .appearance)
        try await application.logIn("ada")
        try await application.reading.savePreferences("light", ofUser: ada.id)
        try await application.back()
        #expect(application.coordinator.appearance == .default, "not read again at each step")
        try await application.choose("appearance")
        try await application.chooseRow("dark")
        application.tokens.token = other.tokens.token
        try await application.coordinator.start()
        #expect(application.coordinator.appearance == .default)
        try await application.reading.savePreferences("light", ofUser: eve.id)
        try await application.send(.open(.account))
        #expect(application.coordinator.appearance == .default)
    }

    @Test("An unknown theme is the default")
    func unknown() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .login())
        try await application.logIn()
        let user = try #require(application.coordinator.currentUser.session?.user.id)
        try await application.reading.savePreferences("solarized", ofUser: user)
        let next = try await application.restarted()
        try await next.coordinator.start()
        #expect(next.coordinator.appearance == .default)
    }
}
