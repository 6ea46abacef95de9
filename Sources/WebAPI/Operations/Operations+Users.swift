import AuthService
import Text
import HTTPServer
import LibraryServices

/// Operations on users, for operators.
extension Operation {
    private static let tag = "users"

    static let users: [Operation] = [
        Operation(
            "signUp", .post, "users", "Makes an account", tag: tag, access: .anybody,
            body: .object([
                .init("username", .string(.init(length: 1...1000))),
                .init("password", .string(.init(length: 1...4096))),
                .init("region", .string(.init(length: 2...2)), "a country, as ISO 3166-1 has it in two letters"),
                .init("invitation", .string(.init(length: 1...100)), isRequired: false),
            ]), answer: .init(.created, "who was registered", .user), refusals: [.conflict, .forbidden]
        ) { call in
            let user = try await call.services.auth.register(
                username: try Username(call.body["username"]?.string ?? ""),
                password: Password(call.body["password"]?.string ?? ""),
                region: try Region(call.body["region"]?.string ?? ""), client: "API", from: call.origin,
                invitation: call.body["invitation"]?.string)
            return HTTPResponse(.created, json: JSON(user: user))
        },
        Operation(
            "listUsers", .get, "users", "All users", tag: tag, access: .operator,
            answer: .init(.ok, "all of them, by name", .object([.init("users", .array(.user))]))
        ) { call in
            let users = try await call.services.auth.users(by: try call.authority)
            return HTTPResponse(json: ["users": .array(users.map { JSON(user: $0) })])
        },
        Operation(
            "getUser", .get, "users/{username}", "A user", tag: tag, access: .operator,
            answer: .init(.ok, "the user", .user)
        ) { call in
            HTTPResponse(
                json: JSON(user: try await call.services.auth.user(try name(call), by: try call.authority)))
        },
        Operation(
            "changeUser", .patch, "users/{username}", "Lets a user do more or less", tag: tag, access: .operator,
            body: .object([
                .init("role", .choice(["reader", "editor", "operator"]), isRequired: false),
                .init("disabled", .boolean, isRequired: false, "whether they are kept out"),
            ]), answer: .init(.ok, "the user", .user), refusals: [.conflict]
        ) { call in
            let user = try await call.services.auth.change(
                try name(call), role: call.body["role"]?.string.flatMap { Role(rawValue: $0) },
                isDisabled: call.body["disabled"]?.boolean, by: try call.authority)
            return HTTPResponse(json: JSON(user: user))
        },
        Operation(
            "deleteUser", .delete, "users/{username}", "Deletes an account", tag: tag, access: .operator,
            answer: .init(.noContent, "it is gone"), refusals: [.conflict]
        ) { call in
            try await call.services.auth.delete(try name(call), by: try call.authority)
            return .done
        },
    ]

    private static func name(_ call: Call) throws -> Username {
        let text = call.path["username"] ?? ""
        guard let name = try? Username(text) else { throw Problem.notFound("there is no user “\(text)”") }
        return name
    }
}
