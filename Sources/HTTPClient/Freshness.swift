package import Text

extension ClientResponse {
    /// Returns the time in seconds for which the response is fresh from `now` on (RFC 9111, section 4.2.1); nil if the
    /// server does not say. It is 0 if the response must be validated before it is used again.
    package func freshness(at now: Date) -> Double? {
        let age = value(of: "age").flatMap { Self.seconds($0) } ?? 0
        for directive in directives {
            switch directive.name {
            case "no-store", "no-cache": return 0
            case "max-age":
                if let seconds = Self.seconds(Array(directive.value.utf8)) { return max(0, seconds - age) }
            default: break
            }
        }
        guard let expires = value(of: "expires") else { return nil }
        // An invalid date, such as 0, means a time in the past.
        guard let end = Self.date(expires) else { return 0 }
        let sent = value(of: "date").flatMap { Self.date($0) } ?? now
        return max(0, end.timeIntervalSince(sent) - age)
    }

    /// Returns the time before which the server does not want another request (RFC 9110, section 10.2.3); nil if it does
    /// not say.
    package func retryTime(at now: Date) -> Date? {
        guard let value = value(of: "retry-after") else { return nil }
        return Self.seconds(value).map { now.addingTimeInterval($0) } ?? Self.date(value)
    }

    /// The directives of `Cache-Control`, with lower-case names.
    private var directives: [(name: String, value: String)] {
        fields.filter { $0.isNamed("cache-control") }.flatMap { $0.text.split(separator: ",") }.map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map {
                $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
            }
            return ((parts.first ?? "").lowercased(), parts.count > 1 ? parts[1] : "")
        }
    }

    /// Parses a number of seconds. A larger number than 2³¹ counts as 2³¹ (RFC 9111, section 1.2.2).
    private static func seconds(_ value: [UInt8]) -> Double? {
        guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Double(String(decoding: value, as: UTF8.self)) ?? 0, 0x1p31)
    }

    private static func date(_ value: [UInt8]) -> Date? {
        try? DateParser.date(from: String(decoding: value, as: UTF8.self))
    }
}
