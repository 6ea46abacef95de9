import Foundation
import TestSupport
import Testing
import Text

@Suite("Dates")
struct DateParserTests {
    @Test(
        "Dates are read in the formats of blogs",
        arguments: [
            ("2015-12-03 12:01:01", "2015-12-03T12:01:01Z"), ("2016-2-9 9:05:00", "2016-02-09T09:05:00Z"),
            ("2016-06-13 12:00", "2016-06-13T12:00:00Z"), ("2016-1-29", "2016-01-29T00:00:00Z"),
            ("2016/02/09", "2016-02-09T00:00:00Z"), ("2015-12-03T12:01:01Z", "2015-12-03T12:01:01Z"),
            ("2015-12-03t12:01:01z", "2015-12-03T12:01:01Z"),
            ("2015-12-03T12:01:01.999999+02:00", "2015-12-03T12:01:01+02:00"),
            ("2015-12-03 12:01:01 -0800", "2015-12-03T12:01:01-08:00"),
            ("2015-12-03 12:01:01 UTC", "2015-12-03T12:01:01Z"),
            ("2015-12-03 12:01 +0530", "2015-12-03T12:01:00+05:30"),
            ("2015-12-31 23:30:00 -08", "2015-12-31T23:30:00-08:00"),
            ("  2016-02-29 00:00:00  ", "2016-02-29T00:00:00Z"), ("1900-02-28", "1900-02-28T00:00:00Z"),
            ("0001-01-01", "0001-01-01T00:00:00Z"), ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
            ("1969-12-31 23:59:59", "1969-12-31T23:59:59Z"), ("2016-12-31 23:59:60", "2017-01-01T00:00:00Z"),
            ("Thu, 03 Dec 2015 12:01:01 -0800", "2015-12-03T12:01:01-08:00"),
            ("3 Dec 2015 12:01 GMT", "2015-12-03T12:01:00Z"),
            ("Thu, 3 Dec 2015 12:01:01 EST", "2015-12-03T12:01:01-05:00"), ("1449144061", "2015-12-03T12:01:01Z"),
        ])
    func shapes(text: String, expected: String) throws { try expect(text, expected) }

    @Test(
        "Dates are read in the formats of YAML, of feeds, and of programs",
        arguments: [
            ("2001-12-14t21:59:43.10-05:00", "2001-12-14T21:59:43-05:00"),
            ("2001-12-14 21:59:43.10 -5", "2001-12-14T21:59:43-05:00"),
            ("2001-12-15 2:59:43.10", "2001-12-15T02:59:43Z"),
            ("Thu Dec 03 2015 10:01:01 GMT+0100 (CET)", "2015-12-03T10:01:01+01:00"),
            ("Thu Dec 03 2015 10:01:01 GMT-0800 (Pacific Standard Time)", "2015-12-03T10:01:01-08:00"),
            ("Thu Dec  3 10:01:01 2015", "2015-12-03T10:01:01Z"),
            ("Thu Dec  3 10:01:01 CET 2015", "2015-12-03T10:01:01+01:00"),
            ("Thu Dec  3 10:01:01 PM EST 2015", "2015-12-03T22:01:01-05:00"),
            ("Thursday, 03-Dec-15 10:01:01 GMT", "2015-12-03T10:01:01Z"),
            ("Thu, 3 Dec 15 10:01 UT", "2015-12-03T10:01:00Z"), ("3 Dec 50 10:01", "1950-12-03T10:01:00Z"),
            ("3 Dec 49", "2049-12-03T00:00:00Z"), ("3 Dec 115", "2015-12-03T00:00:00Z"),
            ("Thu,3 Dec 2015 10:01:01 +0000 GMT", "2015-12-03T10:01:01Z"),
            ("Thur., 3 Sept 2015 10:01:01 CEST", "2015-09-03T10:01:01+02:00"),
            ("2015-12-03T10:01:01.000+0000", "2015-12-03T10:01:01Z"), ("20151203T100101Z", "2015-12-03T10:01:01Z"),
            ("20151203T1001+0100", "2015-12-03T10:01:00+01:00"), ("20151203", "2015-12-03T00:00:00Z"),
            ("20151203100101", "2015-12-03T10:01:01Z"), ("201512031001", "2015-12-03T10:01:00Z"),
            ("1449144061000", "2015-12-03T12:01:01Z"), ("144914406100", "1974-08-05T06:00:06Z"),
            ("1449144061.75", "2015-12-03T12:01:01Z"), ("2015-12-03Z", "2015-12-03T00:00:00Z"),
            ("2015-12-03+02:00", "2015-12-03T00:00:00+02:00"), ("2015-12-03T24:00", "2015-12-04T00:00:00Z"),
            ("2015-12-03T24:00:00Z", "2015-12-04T00:00:00Z"),
            ("2015-12-03T10:01:01+01:00[Europe/Berlin]", "2015-12-03T10:01:01+01:00"),
            ("2016", "2016-01-01T00:00:00Z"), ("2016-05", "2016-05-01T00:00:00Z"),
            ("2015-W53-7", "2016-01-03T00:00:00Z"), ("2015-W01", "2014-12-29T00:00:00Z"),
            ("2016-366", "2016-12-31T00:00:00Z"), ("2015-001T10:00Z", "2015-01-01T10:00:00Z"),
            ("2016-01-02 10:00 +1:00", "2016-01-02T10:00:00+01:00"),
            ("2016-01-02 10:00 +530", "2016-01-02T10:00:00+05:30"),
            ("2016-01-02 10:00 UTC+2", "2016-01-02T10:00:00+02:00"),
            ("2016-01-02 10:00 +00:00", "2016-01-02T10:00:00Z"),
        ])
    func programs(text: String, expected: String) throws { try expect(text, expected) }

    @Test(
        "Dates are read as people write them",
        arguments: [
            ("Dec 3, 2015", "2015-12-03T00:00:00Z"), ("December 3rd, 2015", "2015-12-03T00:00:00Z"),
            ("3 December 2015", "2015-12-03T00:00:00Z"), ("1st of May 2016", "2016-05-01T00:00:00Z"),
            ("2nd Feb 2016", "2016-02-02T00:00:00Z"), ("DEC. 3 2015", "2015-12-03T00:00:00Z"),
            ("May 2016", "2016-05-01T00:00:00Z"), ("2015-Dec-03", "2015-12-03T00:00:00Z"),
            ("2015 Dec 3", "2015-12-03T00:00:00Z"), ("2015/12/3", "2015-12-03T00:00:00Z"),
            ("2015.12.03", "2015-12-03T00:00:00Z"), ("3.12.2015", "2015-12-03T00:00:00Z"),
            ("3. 12. 2015 10:01", "2015-12-03T10:01:00Z"), ("31/12/2015", "2015-12-31T00:00:00Z"),
            ("12/31/2015", "2015-12-31T00:00:00Z"), ("12-31-2015", "2015-12-31T00:00:00Z"),
            ("5/5/2015", "2015-05-05T00:00:00Z"), ("12/31/2015, 11:59:59\u{202F}PM", "2015-12-31T23:59:59Z"),
            ("2015-12-03 3:04 PM", "2015-12-03T15:04:00Z"), ("2015-12-03 3:04pm", "2015-12-03T15:04:00Z"),
            ("2015-12-03 12:30 a.m.", "2015-12-03T00:30:00Z"), ("2015-12-03 12:30 PM", "2015-12-03T12:30:00Z"),
            ("2015-12-03 15:04 PM", "2015-12-03T15:04:00Z"), ("Dec 3, 2015 at 3pm EST", "2015-12-03T15:00:00-05:00"),
            ("Thursday, December 3rd 2015, 10:01:02 am", "2015-12-03T10:01:02Z"),
            ("Thursday 2015-12-03", "2015-12-03T00:00:00Z"), ("Friday, Dec 3, 2015", "2015-12-03T00:00:00Z"),
            ("2015-12-03 10:01 IST", "2015-12-03T10:01:00+05:30"),
            ("2015-12-03 10:01 BST", "2015-12-03T10:01:00+01:00"),
            ("2015-12-03 10:01 NST", "2015-12-03T10:01:00-03:30"),
        ])
    func people(text: String, expected: String) throws { try expect(text, expected) }

    @Test(
        "Dates are read with names of days and months in the languages of feeds",
        arguments: [
            ("Di, 23 Jan 2018 00:00:00 +0100", "2018-01-23T00:00:00+01:00"),
            ("lun., 12 févr. 2024 09:30:00 +0100", "2024-02-12T09:30:00+01:00"),
            ("mar. 12 mars 2024", "2024-03-12T00:00:00Z"), ("mar, 12 mar 2024", "2024-03-12T00:00:00Z"),
            ("Mar 12 2024", "2024-03-12T00:00:00Z"), ("Mar 2024", "2024-03-01T00:00:00Z"),
            ("Mi, 06. März 2024", "2024-03-06T00:00:00Z"), ("3 de mayo de 2015", "2015-05-03T00:00:00Z"),
            ("terça-feira, 23 janeiro 2018", "2018-01-23T00:00:00Z"), ("gio, 5 ott 2023", "2023-10-05T00:00:00Z"),
            ("zo, 3 mrt 2024", "2024-03-03T00:00:00Z"), ("śr., 3 paź 2018", "2018-10-03T00:00:00Z"),
            ("Вт, 23 янв 2018 10:00:00 +0300", "2018-01-23T10:00:00+03:00"),
            ("火, 23 1月 2018 10:00:00 +0900", "2018-01-23T10:00:00+09:00"),
            ("周二, 23 1月 2018", "2018-01-23T00:00:00Z"), ("10/Oct/2000:13:55:36 +0300", "2000-10-10T13:55:36+03:00"),
            ("2018年1月23日 10:00", "2018-01-23T10:00:00Z"),
        ])
    func languages(text: String, expected: String) throws { try expect(text, expected) }

    @Test(
        "An unknown time zone counts as UTC, so that the day stays",
        arguments: [
            "2016-01-01 23:30 XYZ", "Fri, 01 Jan 2016 23:30 A", "2016-01-01T23:30 America/Los_Angeles",
            "Fri Jan  1 23:30:00 XYZT 2016",
        ])
    func unknownZones(text: String) throws { try expect(text, "2016-01-01T23:30:00Z") }

    @Test(
        "Dates that do not exist are refused, each for its reason",
        arguments: [
            ("2016-13-45", DateError.noSuchDay("2016-13-45")), ("2015-02-29", .noSuchDay("2015-02-29")),
            ("2016-02-30", .noSuchDay("2016-02-30")), ("1900-02-29", .noSuchDay("1900-02-29")),
            ("2016-00-10", .noSuchDay("2016-00-10")), ("2016-01-00", .noSuchDay("2016-01-00")),
            ("2015-366", .noSuchDay("2015-366")), ("2014-W53", .noSuchDay("2014-W53")),
            ("2015-W00", .noSuchDay("2015-W00")), ("2015-W10-8", .noSuchDay("2015-W10-8")),
            ("20151303", .noSuchDay("20151303")), ("20151303100101", .noSuchDay("20151303100101")),
            ("2016-01-01 24:01", .noSuchTime("2016-01-01 24:01")),
            ("2016-01-01 12:60", .noSuchTime("2016-01-01 12:60")),
            ("2016-01-01 25 PM", .unknownShape("2016-01-01 25 PM")),
            ("2016-01-01 12:00 someday", .noSuchTime("2016-01-01 12:00 someday")),
            ("2016-01-01 12:00 +24:00", .noSuchTime("2016-01-01 12:00 +24:00")),
            ("0000-01-01", .outOfRange("0000-01-01")),
            ("9999-12-31 23:59:59 -0100", .outOfRange("9999-12-31 23:59:59 -0100")),
            ("", .unknownShape("")), ("yesterday", .unknownShape("yesterday")), ("TBD", .unknownShape("TBD")),
            ("2016-01/02", .unknownShape("2016-01/02")), ("2016-01-02x", .unknownShape("2016-01-02x")),
            ("2016-01-02 1", .unknownShape("2016-01-02 1")), ("2016-01-02T", .unknownShape("2016-01-02T")),
            ("2016-01-02 10:00:00.", .unknownShape("2016-01-02 10:00:00.")),
            ("2016-01-02 10:00 +1:0", .unknownShape("2016-01-02 10:00 +1:0")),
            ("2016-01-02 10:00 (UTC", .unknownShape("2016-01-02 10:00 (UTC")),
            ("2016-01-02 10:00 UTC and more", .unknownShape("2016-01-02 10:00 UTC and more")),
            ("２０１６-01-02", .unknownShape("２０１６-01-02")), ("Dec 3", .unknownShape("Dec 3")),
            ("12345", .unknownShape("12345")),
        ])
    func refused(text: String, failure: DateError) {
        #expect(throws: failure) { try DateParser.date(from: text) }
    }

    @Test("Ambiguous dates are refused", arguments: ["12/03/2015", "3-12-2015", "03/12/15"])
    func ambiguous(text: String) {
        #expect(throws: DateError.unknownShape(text)) { try DateParser.date(from: text) }
    }

    @Test("Text that is too long for a date is refused, and quoted in part")
    func tooLong() {
        let text = "2015-12-03" + String(repeating: " ", count: 200) + "12:00"
        #expect(throws: DateError.unknownShape(String(text.prefix(40)))) { try DateParser.date(from: text) }
    }

    @Test("Dates of every day print and read back the same")
    func roundTrip() throws {
        var date = Date(timeIntervalSince1970: -62_135_596_800)
        let calendar = Date.ISO8601FormatStyle(timeZone: .gmt)
        while date < Date(timeIntervalSince1970: 253_402_300_799) {
            let text = RFC3339.string(from: date)
            #expect(try DateParser.date(from: text) == date)
            // Foundation's proleptic calendar differs before the reform of 1582.
            if date > Date(timeIntervalSince1970: -12_000_000_000) { #expect(text == date.formatted(calendar)) }
            date += 86_400 * 97 + 12_345
        }
        #expect(RFC3339.string(from: .distantFuture) == "4001-01-01T00:00:00Z")
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: .infinity)) == "9999-12-31T23:59:59Z")
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: -.infinity)) == "0001-01-01T00:00:00Z")
    }

    @Test("Dates keep the written day, wherever that was")
    func days() throws {
        let evening = try DateParser.written(from: "2015-12-03 23:30 -0800")
        #expect("\(evening.day)" == "2015-12-03")
        #expect("\(CivilDate(evening.date))" == "2015-12-04")
        #expect(evening.offset == -480)
        #expect("\(try DateParser.written(from: "2016-01-01T00:30+13:45").day)" == "2016-01-01")
        // Beyond the calendar, the nearest day is used.
        #expect("\(try DateParser.written(from: "9999-12-31T23:00Z").day)" == "9999-12-31")
        #expect("\(CivilDate(Date(timeIntervalSince1970: 253_402_300_799), offset: 60))" == "9999-12-31")
        #expect("\(CivilDate(Date(timeIntervalSince1970: -62_135_596_800), offset: -60))" == "0001-01-01")
        #expect(CivilDate(evening.date) > evening.day)
    }

    @Test("Mangled dates are read as days that exist, or refused")
    func mangled() throws {
        let shapes = [
            "2015-12-03 12:01:01 -0800", "Thu, 3 Dec 2015 12:01:01 EST", "December 3rd, 2015 at 3:04 PM",
            "Thu Dec 03 2015 10:01:01 GMT+0100 (CET)", "2015-W49-4T10:01", "20151203T100101Z", "1449144061",
            "12/31/2015, 11:59:59 PM", "Thu Dec  3 10:01:01 CET 2015", "2001-12-14t21:59:43.10-05:00",
        ].map { Array($0.utf8) }
        let special = Array("0123456789-/:.,+ TZapm()[]WthJ".utf8) + [0xC2, 0xA0, 0xFF]
        var random = SeededGenerator(seed: Fuzzing.firstSeed)
        for _ in 0..<Fuzzing.rounds(usual: 20_000) {
            var bytes = shapes.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = special.randomElement(using: &random) ?? 0
                case 1: bytes.insert(special.randomElement(using: &random) ?? 0, at: index)
                case 2: bytes.remove(at: index)
                default: bytes.replaceSubrange(index..., with: shapes.randomElement(using: &random)?.suffix(9) ?? [])
                }
                if bytes.isEmpty { bytes = [0x20] }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let written = try? DateParser.written(from: text) else { continue }
            // A date that was read can be written, and reads back the same.
            let again = RFC3339.string(from: written.date, offset: written.offset)
            #expect(try DateParser.written(from: again) == written, "\(text)")
        }
    }

    private func expect(_ text: String, _ expected: String) throws {
        let written = try DateParser.written(from: text)
        #expect(RFC3339.string(from: written.date, offset: written.offset) == expected)
        #expect(try DateParser.date(from: text) == written.date)
    }
}
