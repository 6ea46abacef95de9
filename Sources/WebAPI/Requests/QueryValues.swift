import HTTPServer
import Text

extension [Operation.Parameter] {
    /// What an address says, each once and checked.
    ///
    /// - Throws: `Problem` for what cannot be understood: who meant a condition is not answered with everything.
    func values(in query: HTTPQuery) throws(Problem) -> [String: String] {
        var values: [String: String] = [:]
        for item in query.items {
            guard let parameter = first(where: { $0.name == item.name }) else {
                throw .badRequest("unknownParameter", "“\(item.name)” says nothing here")
            }
            guard values[item.name] == nil else {
                throw .badRequest("unknownParameter", "“\(item.name)” is said twice")
            }
            do throws(Schema.Mistake) {
                try parameter.schema.check(parameter.schema.value(of: item.value))
            } catch {
                throw .badRequest("invalidParameter", "“\(item.name)” \(error.reason)")
            }
            values[item.name] = item.value
        }
        return values
    }
}

extension Schema {
    /// What a text in an address is as JSON.
    fileprivate func value(of text: String) -> JSON {
        switch self {
        case .integer: Int64(text).map { String($0) == text ? .number(text) : .string(text) } ?? .string(text)
        case .boolean: text == "true" ? true : text == "false" ? false : .string(text)
        default: .string(text)
        }
    }
}
