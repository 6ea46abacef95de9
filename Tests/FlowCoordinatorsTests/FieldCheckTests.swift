import FlowCoordinators
import Testing

@Suite("Checks of fields, while they are filled in")
struct FieldCheckTests {
    /// Returns the error of the field for these answers on the current screen.
    private func complaint(
        _ field: FieldName, on application: Application, _ answers: Answers
    ) async throws -> String? {
        let fields = try await application.screen.form?.fields ?? []
        let check = try #require(fields.first { $0.name == field }?.check)
        let verdict = check(answers)
        let isEmpty = answers[field]?.isEmpty ?? true
        #expect(!isEmpty || verdict == .unfinished)
        return if case .wrong(let complaint) = verdict { complaint } else { nil }
    }

    @Test("A username is checked from the first character")
    func username() async throws {
        let application = try await Application()
        try await application.coordinator.start(at: .signUpRegion)
        #expect(try await application.screen.form?.fields.allSatisfy { $0.check == nil } == true)
        try await application.submit([.region: "SE"])
        func complaint(_ text: String) async throws -> String? {
            try await self.complaint(.username, on: application, [.username: text])
        }
        #expect(try await complaint("") == nil)
        #expect(try await self.complaint(.username, on: application, [:]) == nil)
        #expect(try await complaint("ada") == nil)
        #expect(try await complaint("a")?.contains("2") == true)
        #expect(try await complaint("ada!")?.contains("'!'") == true)
        #expect(try await complaint("ada.")?.contains("'.'") == true)
        #expect(try await complaint(String(repeating: "a", count: 100_000))?.contains("32") == true)
    }

    @Test("A new password is checked for strength with the name, and its confirmation against the password")
    func password() async throws {
        let application = try await Application()
        try await application.coordinator.start(at: .signUpRegion)
        try await application.submit([.region: "SE"])
        try await application.submit([.username: "featherstonehaugh"])
        func complaint(_ text: String) async throws -> String? {
            try await self.complaint(.password, on: application, [.password: text])
        }
        #expect(try await complaint("") == nil)
        #expect(try await complaint("short")?.contains("15") == true)
        #expect(try await complaint("passwordpassword123") != nil)
        #expect(try await complaint("featherstonehaugh")?.contains("username") == true)
        #expect(try await complaint(String(repeating: "long ", count: 100_000)) != nil)
        #expect(try await complaint(Application.password) == nil)

        func difference(_ answers: Answers) async throws -> String? {
            try await self.complaint(.confirmation, on: application, answers)
        }
        #expect(try await difference([.password: "x"]) == nil)
        #expect(try await difference([.password: "é", .confirmation: "é"]) == nil)
        #expect(try await difference([.password: "é", .confirmation: "e\u{301}"]) == "\(FormError.passwordsDiffer)")
        #expect(try await difference([.confirmation: "x"]) != nil)
        // Incomplete input is not an error.
        #expect(try await difference([.password: "xyz", .confirmation: "xy"]) == nil)
        #expect(try await difference([.password: "xyz", .confirmation: "xa"]) != nil)
        #expect(try await difference([.password: "xyz", .confirmation: "xyza"]) != nil)
    }

    @Test("A changed password is checked too, and the current one is not")
    func changePassword() async throws {
        let application = try await Application()
        try await application.register()
        try await application.coordinator.start(at: .password)
        try await application.logIn()
        #expect(try await application.screen.form?.fields.first?.check == nil)
        #expect(try await complaint(.newPassword, on: application, [.newPassword: "qwertyuiop"]) != nil)
        let name = "featherstonehaugh"
        try await application.register(name)
        try await application.coordinator.start(at: .login())
        try await application.logIn(name)
        try await application.coordinator.start(at: .password)
        #expect(try await complaint(.newPassword, on: application, [.newPassword: name])?.contains("username") == true)
        #expect(
            try await complaint(.confirmation, on: application, [.newPassword: "a", .confirmation: "a"]) == nil)
    }
}
