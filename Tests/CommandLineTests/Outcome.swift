import Foundation
import Testing

/// The result of a run: its exit status and its output.
struct Outcome: Sendable {
    /// The exit code, or 128 plus the number of the signal that ended the program, as in a shell.
    let status: Int32
    let output: String
    let error: String

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// Standard output as one JSON object.
    func object() throws -> JSONObject { try JSONObject(output) }

    /// The error object of --json.
    func failure() throws -> JSONObject {
        let object = try JSONObject(error)
        #expect(object.keys == ["error"])
        let failure = try object.object("error")
        #expect(failure.keys == ["code", "hint", "message"])
        return failure
    }
}

/// A JSON object that a test inspects.
struct JSONObject {
    let members: [String: Any]

    init(_ text: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        members = try #require(value as? [String: Any], "not an object: \(text)")
    }

    private init(members: [String: Any]) { self.members = members }

    var keys: [String] { members.keys.sorted() }

    func string(_ key: String) -> String? { members[key] as? String }
    func integer(_ key: String) -> Int? { (members[key] as? NSNumber)?.intValue }
    func bool(_ key: String) -> Bool? { (members[key] as? NSNumber)?.boolValue }
    func strings(_ key: String) -> [String]? { members[key] as? [String] }
    func isNull(_ key: String) -> Bool { members[key] is NSNull }

    func object(_ key: String) throws -> JSONObject {
        JSONObject(members: try #require(members[key] as? [String: Any], "no object \(key)"))
    }

    func objects(_ key: String) throws -> [JSONObject] {
        try #require(members[key] as? [[String: Any]], "no array of objects \(key)").map(JSONObject.init(members:))
    }
}
