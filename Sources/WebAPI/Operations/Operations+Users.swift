import AuthService
import Text
import HTTPServer
import LibraryServices

/// Operations on users, for operators.
extension Operation {
    private static let tag = "users"

    static let users: [Operation] = [
        Operation(
            "signUp", .post, "users", "Creates an account", tag: tag, access: .anybody,
            body: .object([
                .init("username", .string(.init(length: 1...1000))),
                .init("password", .string(.init(length: 1...4096))),
                .init("region", .string(.init(length: 2...2)), "the two-letter code of a country (ISO 3166-1)"),
                .init("invitation", .string(.init(length: 1...100)), isRequired: false),
            ]), answer: .init(.created, "the new user", .user), refusals: [.conflict, .forbidden]
        ) { call in
            let user = try await call.services.auth.register(
                username: try Username(call.body["username"]?.string ?? ""),
                password: Password(call.body["password"]?.string ?? ""),
                region: try Region(call.body["region"]?.string ?? ""), client: "API", from: call.origin,
                invitation: call.body["invitation"]?.string)
            return HTTPResponse(.created, json: JSON(user: user))
        },
        Operation(
            "listUsers", .get, "users", "Lists the users", tag: tag, access: .operator,
            answer: .init(.ok, "all users, sorted by name", .object([.init("users", .array(.user))]))
        ) { call in
            let users = try await call.services.auth.users(by: try call.authority)
            return HTTPResponse(json: ["users": .array(users.map { JSON(user: $0) })])
        },
        Operation(
            "getUser", .get, "users/{username}", "Returns a user", tag: tag, access: .operator,
            answer: .init(.ok, "the user", .user)
        ) { call in
            HTTPResponse(
                json: JSON(user: try await call.services.auth.user(try name(call), by: try call.authority)))
        },
        Operation(
            "changeUser", .patch, "users/{username}", "Changes the role of a user, or disables them", tag: tag,
            access: .operator,
            body: .object([
                .init("role", .choice(["reader", "editor", "operator"]), isRequired: false),
                .init("disabled", .boolean, isRequired: false, "whether the user cannot log in"),
            ]), answer: .init(.ok, "the user", .user), refusals: [.conflict]
        ) { call in
            let user = try await call.services.auth.change(
                try name(call), role: call.body["role"]?.string.flatMap { Role(rawValue: $0) },
                isDisabled: call.body["disabled"]?.boolean, by: try call.authority
            ).user
            return HTTPResponse(json: JSON(user: user))
        },
        Operation(
            "deleteUser", .delete, "users/{username}", "Deletes an account", tag: tag, access: .operator,
            answer: .init(.noContent, "the account was deleted"), refusals: [.conflict]
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
