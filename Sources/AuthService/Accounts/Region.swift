import Text

/// A country or territory of ISO 3166-1. A value of this type always has an officially assigned alpha-2 code.
public struct Region: Sendable {
    /// The two capital letters, such as `DE`.
    public let code: String
    /// A common English name, such as `Germany`.
    public let name: String

    /// Returns the region with `code`, in upper or lower case.
    ///
    /// - Throws: `AuthError.unknownRegion` if ISO 3166-1 does not assign the code.
    public init(_ code: String) throws(AuthError) {
        // Accept only ASCII: "ß" in upper case is "SS", the code of South Sudan.
        guard code.utf8.count == 2, code.utf8.allSatisfy({ $0 < 0x80 }) else { throw .unknownRegion(code) }
        // Fast path: stored codes are already in upper case.
        let capitals = code.utf8.allSatisfy { (0x41...0x5A).contains($0) } ? code : code.uppercased()
        // Use binary search in the sorted table, because the region is read with every session.
        var range = regionTable.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let entry = regionTable[middle]
            if entry.code == capitals {
                self.init(assigned: entry.code, name: entry.name)
                return
            }
            range = entry.code < capitals ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        throw .unknownRegion(code)
    }

    private init(assigned code: String, name: String) {
        self.code = code
        self.name = name
    }

    /// All regions, sorted by code.
    public static let all: [Region] = regionTable.map { Region(assigned: $0.code, name: $0.name) }

    /// Returns the regions that match a typed text: first the one with that code, then those whose names begin with the
    /// text, then those whose names contain it. Case and accents are ignored. An empty text matches all regions.
    public static func matching(_ text: String) -> [Region] {
        // Longer texts never match, and normalizing is expensive.
        guard text.utf8.count <= 100 else { return [] }
        let wanted = UnicodeForm.searchable.apply(to: text)
        var groups: [[Region]] = [[], [], []]
        for region in all {
            let name = UnicodeForm.searchable.apply(to: region.name)
            if region.code.lowercased() == wanted {
                groups[0].append(region)
            } else if name.hasPrefix(wanted) {
                groups[1].append(region)
            } else if name.contains(wanted) {
                groups[2].append(region)
            }
        }
        return groups.flatMap { $0 }
    }
}

extension Region: Hashable {
    /// Regions are equal if their codes are.
    public static func == (left: Region, right: Region) -> Bool { left.code == right.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Region: CustomStringConvertible {
    /// The name and the code, such as `Germany (DE)`.
    public var description: String { "\(name) (\(code))" }
}
