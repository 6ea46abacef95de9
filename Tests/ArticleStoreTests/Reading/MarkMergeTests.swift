import FoundationEssentials
import ArticleStore
import Testing

@Suite("Merging the marks of two devices")
struct MarkMergeTests {
    private static let now = time(100)

    private static func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_700_000_000 + seconds) }

    private static func marks(_ change: (inout ArticleMarks) -> Void) -> ArticleMarks {
        var marks = ArticleMarks()
        change(&marks)
        return marks
    }

    /// The changed and the confirmed marks, each with its time.
    private struct Merge: Equatable {
        var changes: [MarkChange: Date] = [:]
        var confirmed: [MarkChange: Date] = [:]
        var tagsLeftOut = 0

        init(changes: [MarkChange: Date] = [:], confirmed: [MarkChange: Date] = [:], tagsLeftOut: Int = 0) {
            (self.changes, self.confirmed, self.tagsLeftOut) = (changes, confirmed, tagsLeftOut)
        }

        init(_ own: ArticleMarks, with others: ArticleMarks) {
            let merge = own.changes(to: others, now: now)
            changes = Dictionary(merge.changes.map { ($0.change, $0.time) }) { first, _ in first }
            confirmed = Dictionary(merge.confirmed.map { ($0.change, $0.time) }) { first, _ in first }
            tagsLeftOut = merge.tagsLeftOut
        }
    }

    @Test("A mark that was never set has no effect")
    func unset() {
        let own = Self.marks { marks in
            marks.read = .init(true, changed: Self.time(1))
            marks.note = .init("mine", changed: Self.time(1))
        }
        #expect(Merge(own, with: ArticleMarks()) == Merge())
        // An export from before marks had times contains only a value: it counts if it differs from the default.
        #expect(
            Merge(ArticleMarks(), with: Self.marks { $0.starred = .init(true) })
                == Merge(changes: [.starred(true): Self.now]))
    }

    @Test(
        "The later change wins, and on a tie the one that was received last",
        arguments: [(5.0, 6.0, true), (6, 6, true), (7, 6, false)])
    func later(own: Double, other: Double, wins: Bool) {
        let mine = Self.marks { marks in
            marks.read = .init(false, changed: Self.time(own))
            marks.starred = .init(true, changed: Self.time(own))
            marks.later = .init(true, changed: Self.time(own))
            marks.readingPosition = .init(10, changed: Self.time(own))
            marks.note = .init("mine", changed: Self.time(own))
        }
        let theirs = Self.marks { marks in
            marks.read = .init(true, changed: Self.time(other))
            marks.starred = .init(false, changed: Self.time(other))
            marks.later = .init(false, changed: Self.time(other))
            marks.readingPosition = .init(nil, changed: Self.time(other))
            marks.note = .init(nil, changed: Self.time(other))
        }
        let changes: [MarkChange] = [.read(true), .starred(false), .later(false), .readingPosition(nil), .note(nil)]
        let expected = wins ? Dictionary(uniqueKeysWithValues: changes.map { ($0, Self.time(other)) }) : [:]
        #expect(Merge(mine, with: theirs) == Merge(changes: expected))
    }

    @Test("A clock that is ahead counts as now")
    func ahead() throws {
        let tag = try TagName("t")
        let theirs = Self.marks { marks in
            marks.starred = .init(true, changed: Self.time(1_000))
            marks.tags = [.init(tag, changed: Self.time(1_000))]
        }
        let now = Self.now
        #expect(Merge(ArticleMarks(), with: theirs) == Merge(changes: [.starred(true): now, .tag(tag, true): now]))
        let mine = Self.marks { $0.starred = .init(true, changed: Self.time(50)) }
        #expect(
            Merge(mine, with: Self.marks { $0.starred = .init(true, changed: Self.time(1_000)) }).confirmed == [
                .starred(true): now
            ])
    }

    @Test(
        "The same value that was set again later is confirmed with its time",
        arguments: [(5.0, 6.0, true), (6, 6, false), (7, 6, false), (6, nil, false)] as [(Double, Double?, Bool)])
    func confirmed(own: Double, other: Double?, isLater: Bool) throws {
        let tag = try TagName("t")
        func marked(_ time: Double?) -> ArticleMarks {
            Self.marks { marks in
                marks.read = .init(true, changed: time.map(Self.time))
                marks.tags = [.init(tag, changed: time.map(Self.time))]
            }
        }
        let time = Self.time(other ?? 0)
        let expected: [MarkChange: Date] = isLater ? [.read(true): time, .tag(tag, true): time] : [:]
        #expect(Merge(marked(own), with: marked(other)) == Merge(confirmed: expected))
    }

    @Test(
        "A tag is as the later change left it, and on a tie as the one that was received last",
        arguments: [(5.0, 6.0, true), (6, 6, true), (7, 6, false)])
    func tags(own: Double, other: Double, wins: Bool) throws {
        let (kept, gone) = (try TagName("kept"), try TagName("gone"))
        let mine = Self.marks { marks in
            marks.tags = [.init(kept, changed: Self.time(own))]
            marks.removedTags = [.init(gone, changed: Self.time(own))]
        }
        let theirs = Self.marks { marks in
            marks.tags = [.init(gone, changed: Self.time(other))]
            marks.removedTags = [.init(kept, changed: Self.time(other))]
        }
        let time = Self.time(other)
        #expect(
            Merge(mine, with: theirs) == Merge(changes: wins ? [.tag(gone, true): time, .tag(kept, false): time] : [:]))
    }

    @Test("A tag that neither device has is not removed, and tags that only one device has are kept")
    func unknownTags() throws {
        let (mine, theirs) = (try TagName("mine"), try TagName("theirs"))
        let own = Self.marks { $0.tags = [.init(mine, changed: Self.time(1))] }
        let others = Self.marks { marks in
            marks.tags = [.init(theirs, changed: Self.time(2))]
            marks.removedTags = [.init((try? TagName("nobody's")) ?? theirs, changed: Self.time(3))]
        }
        #expect(Merge(own, with: others) == Merge(changes: [.tag(theirs, true): Self.time(2)]))
    }

    @Test("Tags that are removed make room for those that are added, and the others are left out by their keys")
    func room() throws {
        let full = try (0..<MarkError.mostTags).map { try TagName("tag \($0)") }
        let own = Self.marks { $0.tags = full.map { .init($0, changed: Self.time(1)) } }
        let (first, second) = (try TagName("a"), try TagName("b"))
        let others = Self.marks { marks in
            marks.tags = [second, first].map { .init($0, changed: Self.time(2)) }
            marks.removedTags = [.init(full[50], changed: Self.time(2))]
        }
        let time = Self.time(2)
        #expect(
            Merge(own, with: others)
                == Merge(changes: [.tag(full[50], false): time, .tag(first, true): time], tagsLeftOut: 1))
    }

    @Test("A user's tag has 1 to 100 characters without commas and controls, and ignores case and accents")
    func ownTags() throws {
        for name in ["", " ", "a,b", "a\nb", "a\u{0}b", "a\u{2028}b", String(repeating: "x", count: 101)] {
            #expect(throws: TagError(name: name)) { try TagName(name) }
        }
        #expect(try TagName("  to do ").name == "to do")
        #expect(try TagName(String(repeating: "é", count: 100)).name.count == 100)
        #expect(
            try TagName("Résumé") == TagName("resume") && TagName("A") == TagName("a") && TagName("a") != TagName("b"))
        #expect(try Set([TagName("Café"), TagName("CAFE")]).count == 1)
    }
}
