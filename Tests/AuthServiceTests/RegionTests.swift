import AuthService
import FoundationEssentials
import Testing

@Suite("Region")
struct RegionTests {
    private static let table = "/usr/share/zoneinfo/iso3166.tab"

    @Test("The codes are those of the system's table", .enabled(if: FileManager.default.fileExists(atPath: table)))
    func officialCodes() throws {
        let lines = try String(contentsOfFile: Self.table, encoding: .utf8).split(separator: "\n")
        let codes = lines.filter { !$0.hasPrefix("#") }.map { String($0.prefix(2)) }
        #expect(Region.all.map(\.code) == codes.sorted())
    }

    @Test("There are 249 codes, in order and each once, and each has a name")
    func complete() {
        #expect(Region.all.count == 249)
        #expect(Region.all.map(\.code) == Set(Region.all.map(\.code)).sorted())
        #expect(Set(Region.all.map(\.name)).count == 249)
        #expect(Region.all.allSatisfy { !$0.name.isEmpty })
    }

    @Test("A code may be typed in small letters")
    func anyCase() throws {
        #expect(try Region("de") == Region("DE"))
        #expect(try Region("jP").name == "Japan")
        #expect(try "\(Region("de"))" == "Germany (DE)")
    }

    @Test(
        "An unassigned code is refused",
        arguments: ["", "D", "DEU", "UK", "EU", "XX", "ZZ", "1A", "D ", "DE\0", "ＤＥ", "ß", "🇩🇪", "'--", "\0\0"])
    func unassigned(code: String) {
        #expect(throws: AuthError.unknownRegion(code)) { try Region(code) }
    }

    @Test(
        "A search finds by code, then by the beginning of the name, then by any part of it",
        arguments: [
            ("de", ["DE", "DK", "BD", "CD", "CV", "GP", "SE"]), ("reunion", ["RE"]), ("TÜRK", ["TC", "TM", "TR"]),
            ("turki", ["TR"]), ("cote d", ["CI"]), ("guinea", ["GN", "GW", "GQ", "PG"]), ("no such place", []),
            ("' OR 1=1", []),
        ])
    func search(text: String, codes: [String]) {
        #expect(Region.matching(text).map(\.code) == codes)
    }

    @Test("An empty search finds all, and an endless one nothing")
    func searchBounds() {
        #expect(Region.matching("") == Region.all)
        #expect(Region.matching(String(repeating: "ﷺ", count: 3_000_000)).isEmpty)
    }
}
