import Text

/// A country or territory of ISO 3166-1. A value of this type always holds an officially assigned alpha-2 code.
public struct Region: Sendable {
    /// The two capital letters, `DE`.
    public let code: String
    /// A usual English name, `Germany`.
    public let name: String

    /// The region with `code`, in capital or small letters.
    ///
    /// - Throws: `AuthError.unknownRegion` when ISO 3166-1 assigns no such code.
    public init(_ code: String) throws(AuthError) {
        // Only ASCII: the capitals of "ß" are "SS", South Sudan.
        guard code.utf8.count == 2, code.utf8.allSatisfy({ $0 < 0x80 }) else { throw .unknownRegion(code) }
        // Stored codes are in capitals already.
        let capitals = code.utf8.allSatisfy { (0x41...0x5A).contains($0) } ? code : code.uppercased()
        // The table is sorted, and a session is read with its user's region again and again.
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

    /// Every region, in the order of their codes.
    public static let all: [Region] = regionTable.map { Region(assigned: $0.code, name: $0.name) }

    /// The regions that a person who types `text` may mean: the one with that code first, then those whose name begins
    /// with it, then those whose name contains it. Case and accents do not matter; an empty text finds all.
    public static func matching(_ text: String) -> [Region] {
        // No name is longer, and normalising costs.
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
    /// Two regions are one when their codes are.
    public static func == (left: Region, right: Region) -> Bool { left.code == right.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Region: CustomStringConvertible {
    /// The name and the code, `Germany (DE)`.
    public var description: String { "\(name) (\(code))" }
}
