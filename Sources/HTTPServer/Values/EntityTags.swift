extension HTTPRequest {
    /// Whether `If-None-Match` names a version of the response, so that the client needs no other copy. Weak tags count, and
    /// `*` stands for any version. Source: RFC 9110, section 13.1.2.
    ///
    /// - Parameter tag: the entity tag of the version, with its quotation marks.
    package func hasCopy(tagged tag: String) -> Bool {
        guard let field = fields[.ifNoneMatch]?.text else { return false }
        return field == "*"
            || field.split(separator: ",").contains { part in
                let part = part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
                return (part.hasPrefix("W/") ? part.dropFirst(2) : part) == tag
            }
    }
}
