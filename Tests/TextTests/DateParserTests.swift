import Foundation
import Testing
import Text

@Suite("Dates")
struct DateParserTests {
    @Test(
        "are read in the shapes that blogs use",
        arguments: [
            ("2015-12-03 12:01:01", "2015-12-03T12:01:01Z"), ("2016-2-9 9:05:00", "2016-02-09T09:05:00Z"),
            ("2016-06-13 12:00", "2016-06-13T12:00:00Z"), ("2016-1-29", "2016-01-29T00:00:00Z"),
            ("2016/02/09", "2016-02-09T00:00:00Z"), ("2015-12-03T12:01:01Z", "2015-12-03T12:01:01Z"),
            ("2015-12-03t12:01:01z", "2015-12-03T12:01:01Z"),
            ("2015-12-03T12:01:01.999999+02:00", "2015-12-03T10:01:01Z"),
            ("2015-12-03 12:01:01 -0800", "2015-12-03T20:01:01Z"),
            ("2015-12-03 12:01:01 UTC", "2015-12-03T12:01:01Z"), ("2015-12-03 12:01 +0530", "2015-12-03T06:31:00Z"),
            ("2015-12-31 23:30:00 -08", "2016-01-01T07:30:00Z"),
            ("  2016-02-29 00:00:00  ", "2016-02-29T00:00:00Z"), ("1900-02-28", "1900-02-28T00:00:00Z"),
            ("0001-01-01", "0001-01-01T00:00:00Z"), ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
            ("1969-12-31 23:59:59", "1969-12-31T23:59:59Z"), ("2016-12-31 23:59:60", "2017-01-01T00:00:00Z"),
            ("Thu, 03 Dec 2015 12:01:01 -0800", "2015-12-03T20:01:01Z"),
            ("3 Dec 2015 12:01 GMT", "2015-12-03T12:01:00Z"), ("Thu, 3 Dec 2015 12:01:01 EST", "2015-12-03T17:01:01Z"),
            ("1449144061", "2015-12-03T12:01:01Z"),
        ])
    func shapes(text: String, expected: String) throws {
        #expect(RFC3339.string(from: try DateParser.date(from: text)) == expected)
    }

    @Test(
        "that do not exist are refused, each for its reason",
        arguments: [
            ("2016-13-45", DateError.noSuchDay("2016-13-45")), ("2015-02-29", .noSuchDay("2015-02-29")),
            ("2016-02-30", .noSuchDay("2016-02-30")), ("1900-02-29", .noSuchDay("1900-02-29")),
            ("2016-00-10", .noSuchDay("2016-00-10")), ("2016-01-00", .noSuchDay("2016-01-00")),
            ("2016-01-01 24:00", .noSuchTime("2016-01-01 24:00")),
            ("2016-01-01 12:60", .noSuchTime("2016-01-01 12:60")),
            ("2016-01-01 12:00 XYZ", .noSuchTime("2016-01-01 12:00 XYZ")),
            ("0000-01-01", .outOfRange("0000-01-01")),
            ("9999-12-31 23:59:59 -0100", .outOfRange("9999-12-31 23:59:59 -0100")),
            ("999999999999", .outOfRange("999999999999")), ("", .unknownShape("")),
            ("yesterday", .unknownShape("yesterday")),
            ("2016", .unknownShape("2016")), ("20160102", .unknownShape("20160102")),
            ("2016-01/02", .unknownShape("2016-01/02")), ("2016-01-02x", .unknownShape("2016-01-02x")),
            ("2016-01-02 1", .unknownShape("2016-01-02 1")),
            ("2016-01-02 10:00:00.", .unknownShape("2016-01-02 10:00:00.")),
            ("2016-01-02 10:00 +1:00", .unknownShape("2016-01-02 10:00 +1:00")),
            ("２０１６-01-02", .unknownShape("２０１６-01-02")),
        ])
    func refused(text: String, failure: DateError) {
        #expect(throws: failure) { try DateParser.date(from: text) }
    }

    @Test("of every day print and read back the same")
    func roundTrip() throws {
        var date = Date(timeIntervalSince1970: -62_135_596_800)
        let calendar = Date.ISO8601FormatStyle(timeZone: .gmt)
        while date < Date(timeIntervalSince1970: 253_402_300_799) {
            let text = RFC3339.string(from: date)
            #expect(try DateParser.date(from: text) == date)
            // The proleptic calendar of Foundation differs before the reform of 1582.
            if date > Date(timeIntervalSince1970: -12_000_000_000) { #expect(text == date.formatted(calendar)) }
            date += 86_400 * 97 + 12_345
        }
        #expect(RFC3339.string(from: .distantFuture) == "4001-01-01T00:00:00Z")
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: .infinity)) == "9999-12-31T23:59:59Z")
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: -.infinity)) == "0001-01-01T00:00:00Z")
    }
}
