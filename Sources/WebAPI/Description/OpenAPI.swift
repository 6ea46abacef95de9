import HTTPServer
import Text

/// The description of the API (OpenAPI 3.1), generated from the operations.
struct OpenAPI {
    let operations: [Operation]
    /// The version of the program.
    let version: String

    var json: JSON {
        var paths: [(path: String, operations: [JSON.Member])] = []
        var schemas: [String: Schema] = [:]
        func addSchemas(_ schema: Schema?) {
            for (name, schema) in schema?.named ?? [] { schemas[name] = schema }
        }
        addSchemas(.problem)
        for operation in operations {
            addSchemas(operation.body)
            addSchemas(operation.answer.schema)
            let path = "/" + operation.path.map(\.text).joined(separator: "/")
            let member = JSON.Member(operation.method.name.lowercased(), json(of: operation))
            if let index = paths.firstIndex(where: { $0.path == path }) {
                paths[index].operations.append(member)
            } else {
                paths.append((path, [member]))
            }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "articlesd", "version": .string(version),
                "description": """
                A shared library of articles. Programs log in with `Authorization: Bearer TOKEN`, where the token is an API \
                token (`articlesctl tokens create`) or that of a session (`POST /session`). If two paths match an address, such \
                as `/articles/marks` and `/articles/{article}`, the one with the method is used, and the first one if both have \
                it.
                """,
            ],
            "servers": [["url": "/api/v1"]],
            "paths": .object(paths.map { .init($0.path, .object($0.operations)) }),
            "components": [
                "securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]],
                "schemas": .object(schemas.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) }),
            ],
        ]
    }

    private func json(of operation: Operation) -> JSON {
        var parameters: [JSON] = operation.path.compactMap { part in
            guard case .parameter(let name) = part else { return nil }
            return [
                "name": .string(name), "in": "path", "required": true,
                "schema": Schema.string(.init(length: 1...1000, place: .path)).json,
            ]
        }
        for (place, list) in [("query", operation.query), ("header", operation.headers)] {
            parameters += list.map { parameter in
                [
                    "name": .string(parameter.name), "in": .string(place), "required": .bool(parameter.isRequired),
                    "description": .string(parameter.words), "schema": parameter.schema.json,
                ]
            }
        }
        var members: [JSON.Member] = [
            .init("operationId", .string(operation.id)), .init("summary", .string(operation.summary)),
            .init("tags", [.string(operation.tag)]),
        ]
        if !parameters.isEmpty { members.append(.init("parameters", .array(parameters))) }
        if let body = operation.body {
            members.append(
                .init("requestBody", ["required": true, "content": ["application/json": ["schema": body.json]]]))
        }
        members.append(.init("responses", responses(of: operation)))
        if case .anybody = operation.access { return .object(members) }
        members.append(.init("security", [["bearer": []]]))
        return .object(members)
    }

    /// The schema of a refusal. The HTTP server refuses malformed requests itself, in plain text.
    private static func problem(_ status: HTTPStatus) -> JSON {
        var content: [JSON.Member] = [.init("application/problem+json", ["schema": Schema.problem.json])]
        if [.badRequest, .contentTooLarge].contains(status) {
            content.append(.init("text/plain", ["schema": Schema.text.json]))
        }
        return .object(content)
    }

    private func responses(of operation: Operation) -> JSON {
        let answer = operation.answer
        var members: [JSON.Member] = []
        var content: [JSON.Member] = [.init("description", .string(answer.words))]
        if let schema = answer.schema {
            content.append(.init("content", ["application/json": ["schema": schema.json]]))
        }
        members.append(.init(answer.status.description, .object(content)))
        for status in operation.allRefusals {
            members.append(
                .init(
                    status.description,
                    status == .notModified
                        ? ["description": "your copy is current"]
                        : [
                            "description": .string(status.phrase),
                            "content": Self.problem(status),
                        ]))
        }
        return .object(members)
    }
}

extension Operation {
    /// All statuses with which the operation may be refused.
    var allRefusals: [HTTPStatus] {
        var statuses: Set<HTTPStatus> = [.badRequest, .tooManyRequests, .serviceUnavailable]
        if case .anybody = access {} else { statuses.formUnion([.unauthorized, .forbidden]) }
        let hasPathParameter = path.contains { if case .parameter = $0 { true } else { false } }
        if hasPathParameter { statuses.insert(.notFound) }
        if body != nil { statuses.formUnion([.contentTooLarge, .unsupportedMediaType]) }
        if hasPathParameter || body != nil || !query.isEmpty || !headers.isEmpty {
            statuses.insert(.unprocessableContent)
        }
        return statuses.union(refusals).sorted { $0.code < $1.code }
    }
}

extension Operation.Segment {
    var text: String {
        switch self {
        case .word(let word): word
        case .parameter(let name): "{\(name)}"
        }
    }
}
