import HTTPServer
import Text

extension [Operation.Parameter] {
    /// Returns the checked parameters of an address, each with a single value.
    ///
    /// - Throws: `Problem` for an unknown parameter: if an unknown condition were ignored, the response would contain
    ///   everything.
    func values(in query: HTTPQuery) throws(Problem) -> [String: String] {
        var values: [String: String] = [:]
        for item in query.items {
            guard let parameter = first(where: { $0.name == item.name }) else {
                throw .badRequest("unknownParameter", "“\(item.name)” is not a parameter of this address")
            }
            guard values[item.name] == nil else {
                throw .badRequest("invalidParameter", "“\(item.name)” is given twice")
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
    /// Returns the text of a parameter as JSON.
    fileprivate func value(of text: String) -> JSON {
        switch self {
        case .integer: Int64(text).map { String($0) == text ? .number(text) : .string(text) } ?? .string(text)
        case .boolean: text == "true" ? true : text == "false" ? false : .string(text)
        default: .string(text)
        }
    }
}
