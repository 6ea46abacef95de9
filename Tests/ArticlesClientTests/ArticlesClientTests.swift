import ArticleStore
import ArticlesClient
import AuthService
import Database
import LibraryServices
import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The client of the API")
struct ArticlesClientTests {
    @Test("The client logs in, knows its user, lists page by page, and reads an article")
    func reading() async throws {
        let server = try await Server()
        let ids = try await server.fill(0..<5)
        let client = try await server.client()
        #expect(try await client.account() == account("ada", "operator"))
        var seen: [Int64] = []
        var cursor: String?
        var filter = ArticleFilter()
        filter.source = "C++ & more"
        repeat {
            let page = try await client.articles(filter, after: cursor, limit: 2)
            seen += page.articles.map(\.id)
            cursor = page.next
        } while cursor != nil
        #expect(seen == ids.reversed())
        #expect(try await client.article(ids[3]).body == "Body + 3.")
        try await client.logOut()
        await #expect(throws: ClientError.notLoggedIn) { _ = try await client.account() }
    }

    private func account(_ username: String, _ role: String) throws -> ArticlesClient.Account {
        try JSONDecoder().decode(
            ArticlesClient.Account.self, from: Data(#"{"username": "\#(username)", "role": "\#(role)"}"#.utf8))
    }

    @Test("A refusal has a code and a message, and differs from a response of another server")
    func refusals() async throws {
        let server = try await Server()
        let client = LibraryClient(server: try URL.server, transport: server)
        await #expect {
            _ = try await client.loggedIn(username: "ada", password: "wrong", as: "test")
        } throws: { error in
            guard case .refused(403, "wrongPassword", let words) = error as? ClientError else { return false }
            return !words.isEmpty
        }
        await #expect(throws: ClientError.notLoggedIn) { _ = try await client.articles() }
        let missing = try await server.client()
        await #expect { _ = try await missing.article(99) } throws: { error in
            if case .refused(404, "notFound", _) = error as? ClientError { true } else { false }
        }
    }

    @Test("Marks made offline are sent at the next connection, and the latest change wins")
    func offline() async throws {
        let server = try await Server()
        let ids = try await server.fill(0..<4)
        let (folder, client) = (try TemporaryFolder(), try await server.client())
        func device(_ name: String) throws -> OfflineLibrary {
            try OfflineLibrary(file: URL(filePath: folder.file(name)))
        }
        let (phone, desk) = (try device("phone.json"), try device("desk.json"))
        #expect(try await phone.sync(with: client).articles == 4)
        try await desk.sync(with: client)
        let start = server.clock.now
        server.isOnline.withLock { $0 = false }
        try await phone.star(ids[0], true, at: start.addingTimeInterval(10))
        try await phone.tag(ids[0], "talk", true, at: start.addingTimeInterval(10))
        try await desk.star(ids[0], false, at: start.addingTimeInterval(5))
        try await desk.read(ids[1], true, at: start.addingTimeInterval(5))
        try await phone.read(ids[1], false, at: start.addingTimeInterval(20))
        try await phone.setNote("A note", of: ids[2], at: start)
        #expect(await phone.article(ids[0])?.body == "Body + 0.")
        await #expect(throws: (any Error).self) { try await phone.sync(with: client) }
        #expect(await phone.hasPending)
        // The copy has it again when the app restarts.
        let again = try device("phone.json")
        #expect(await again.marks(of: ids[0]).starred)
        server.isOnline.withLock { $0 = true }
        server.clock.advance(by: 60)
        #expect(try await again.sync(with: client).sentMarks == 3)
        try await desk.sync(with: client)
        try await again.sync(with: client)
        for device in [again, desk] {
            let first = await device.marks(of: ids[0])
            #expect(first.starred && first.tags == ["talk"])
            #expect(await device.marks(of: ids[1]).read == false)
            #expect(await device.marks(of: ids[2]).note == "A note")
            #expect(await device.hasPending == false)
        }
        try await desk.tag(ids[0], "talk", false, at: server.clock.now)
        try await desk.sync(with: client)
        try await again.sync(with: client)
        #expect(await again.marks(of: ids[0]).tags.isEmpty)
    }

    @Test("A copy follows new, changed, and deleted articles, and a mark of everything as read")
    func following() async throws {
        let server = try await Server()
        let ids = try await server.fill(0..<3)
        let (folder, client) = (try TemporaryFolder(), try await server.client())
        let copy = try OfflineLibrary(file: URL(filePath: folder.file("copy.json")))
        try await copy.sync(with: client)
        try await server.services.articles.delete(id: ids[1])
        let more = try await server.fill(5..<6)
        let reader = try #require(try await server.services.auth.users(by: .system(user: "test")).first?.id)
        let star = try await server.services.marks.change(
            .starred(true), of: .ids([ids[0]]), by: reader, at: server.clock.now)
        #expect(star == 1)
        server.clock.advance(by: 10)
        try await server.services.marks.change(.read(true), of: .all, by: reader, at: server.clock.now)
        let report = try await copy.sync(with: client)
        #expect(report.articles == 1 && report.deletedArticles == 1)
        #expect(await copy.articles.map(\.id) == [more[0], ids[2], ids[0]])
        for id in [ids[0], ids[2], more[0]] { #expect(await copy.marks(of: id).read) }
        server.clock.advance(by: 10)
        try await server.services.marks.change(.read(false), of: .all, by: reader, at: server.clock.now)
        try await copy.sync(with: client)
        for id in [ids[0], ids[2], more[0]] { #expect(await copy.marks(of: id).read == false) }
        // Within the same second, too.
        for isRead in [true, false] {
            try await server.services.marks.change(.read(isRead), of: .all, by: reader, at: server.clock.now)
            try await copy.sync(with: client)
            for id in [ids[0], ids[2], more[0]] { #expect(await copy.marks(of: id).read == isRead) }
        }
    }

    @Test("A mark that the server refuses is reported, and does not block others")
    func refused() async throws {
        let server = try await Server()
        let ids = try await server.fill(0..<9)
        let (folder, client) = (try TemporaryFolder(), try await server.client())
        let file = URL(filePath: folder.file("copy.json"))
        let before = try OfflineLibrary(file: file)
        for id in ids { try await before.star(id, true, at: server.clock.now) }
        try await before.tag(ids[4], "a;b", true, at: server.clock.now)
        // As in a copy that was marked before this version refused such tags.
        let kept = try String(contentsOf: file, encoding: .utf8)
        try kept.replacing("a;b", with: "a,b").write(to: file, atomically: true, encoding: .utf8)
        let copy = try OfflineLibrary(file: file)
        let report = try await copy.sync(with: client)
        #expect(report.sentMarks == 8 && report.articles == 9)
        #expect(report.refused.map(\.marks.article) == [ids[4]])
        #expect(await copy.hasPending == false)
        for id in ids { #expect(await copy.marks(of: id).starred == (id != ids[4])) }
        #expect(try await copy.sync(with: client).refused.isEmpty)
    }

    @Test("A mark of an article that was deleted in the meantime is reported")
    func deleted() async throws {
        let server = try await Server()
        let ids = try await server.fill(0..<2)
        let (folder, client) = (try TemporaryFolder(), try await server.client())
        let copy = try OfflineLibrary(file: URL(filePath: folder.file("copy.json")))
        try await copy.sync(with: client)
        for id in ids { try await copy.star(id, true, at: server.clock.now) }
        let article = try #require(try await server.services.articles.article(ArticleReference(String(ids[0]))))
        try await server.services.articles.delete(article)
        let report = try await copy.sync(with: client)
        #expect(report.sentMarks == 1 && report.refused.map(\.marks.article) == [ids[0]])
        #expect(await copy.hasPending == false)
    }

    @Test(
        "An invalid tag is refused offline as the server would refuse it",
        arguments: [
            "", " ", "\u{3000}", "a,b", "a\nb", "a\u{1B}b", "a\u{2028}b", "a\u{202E}b", "\u{301}", "\u{200B}\u{FE0F}",
            String(repeating: "a", count: 101), " talk\t", "Ǻ", "日本", String(repeating: "é", count: 100),
        ])
    func tagNames(name: String) async throws {
        let server = try await Server()
        let id = try await server.fill(0..<1)[0]
        let (folder, client) = (try TemporaryFolder(), try await server.client())
        let copy = try OfflineLibrary(file: URL(filePath: folder.file("copy.json")))
        var record = MarkRecord(article: id)
        record.tags = [Changed(name, at: server.clock.now)]
        let isTaken: Bool
        do {
            try await client.merge([record])
            isTaken = true
        } catch ClientError.refused {
            isTaken = false
        }
        #expect(isTaken == ((try? TagName(name)) != nil && name.contains { !$0.isWhitespace }))
        if isTaken {
            try await copy.tag(id, name, true, at: server.clock.now)
            let shown = await copy.marks(of: id).tags
            try await copy.sync(with: client)
            #expect(await copy.marks(of: id).tags == shown && shown.count == 1)
        } else {
            await #expect(throws: MarkingError.noTag(name)) {
                try await copy.tag(id, name, true, at: server.clock.now)
            }
            #expect(await copy.hasPending == false)
        }
    }

    @Test("Values over a limit are refused offline, too")
    func bounds() async throws {
        let folder = try TemporaryFolder()
        let copy = try OfflineLibrary(file: URL(filePath: folder.file("copy.json")))
        let time = Date(timeIntervalSince1970: 0)
        try await copy.setNote(String(repeating: "é", count: MarkingError.longestNote), of: 1, at: time)
        await #expect(throws: MarkingError.noteIsTooLong) {
            try await copy.setNote(String(repeating: "é", count: MarkingError.longestNote + 1), of: 1, at: time)
        }
        #expect(await copy.marks(of: 1).note?.count == MarkingError.longestNote)
        try await copy.setNote(nil, of: 1, at: time)
        let articles = Int64(MarkingError.mostOwnTags / MarkingError.mostTags)
        for article in 1...articles {
            for number in 0..<MarkingError.mostTags {
                try await copy.tag(article, "\(article) \(number)", true, at: time)
            }
        }
        await #expect(throws: MarkingError.tooManyTags) { try await copy.tag(1, "2 0", true, at: time) }
        await #expect(throws: MarkingError.tooManyOwnTags) { try await copy.tag(99, "new", true, at: time) }
        try await copy.tag(99, "1 0", true, at: time)
        for article in [1, 99] as [Int64] { try await copy.tag(article, "1 0", false, at: time) }
        try await copy.tag(1, "new", true, at: time)
        #expect(MarkingError.mostTags == MarkError.mostTags && MarkingError.mostOwnTags == MarkError.mostOwnTags)
        #expect(MarkingError.longestTag == TagName.longest && MarkingError.longestNote == MarkError.longestNote)
    }

    /// Returns a copy of a lost library, and a server with another library whose articles have the same numbers. The
    /// first article is the same.
    private func restored(
        in folder: TemporaryFolder
    ) async throws -> (copy: OfflineLibrary, ids: [Int64], lost: Server, server: Server) {
        let (lost, server) = (try await Server(), try await Server())
        let ids = try await lost.fill(0..<3)
        #expect(try await server.fill(0..<1) + server.fill(7..<9) == ids)
        let copy = try OfflineLibrary(file: URL(filePath: folder.file("copy.json")))
        try await copy.sync(with: try await lost.client())
        return (copy, ids, lost, server)
    }

    @Test("After a restore, no mark goes to another article with the same number")
    func anotherLibrary() async throws {
        let folder = try TemporaryFolder()
        let (copy, ids, lost, server) = try await restored(in: folder)
        try await copy.star(ids[0], true, at: lost.clock.now)
        try await copy.star(ids[1], true, at: lost.clock.now)
        let report = try await copy.sync(with: try await server.client())
        #expect(report.isFullReload && report.sentMarks == 1)
        #expect(report.refused.map(\.marks.article) == [ids[1]])
        #expect(await copy.marks(of: ids[0]).starred)
        #expect(await copy.marks(of: ids[1]).starred == false)
    }

    @Test(
        "An article that is unread on the server stays unread in a copy, however much else is read",
        arguments: [false, true])
    func settling(beginsUnread: Bool) async throws {
        let server = try await Server()
        let (folder, client) = (try TemporaryFolder(), try await server.client())
        let copy = try OfflineLibrary(file: URL(filePath: folder.file("copy.json")))
        let reader = try #require(try await server.services.auth.users(by: .system(user: "test")).first?.id)
        var (unread, read): (Int64?, [Int64]) = (nil, [])
        // As many as the store represents only by their highest number.
        for round in 0..<3 {
            let ids = try await server.fill(round * 2200..<(round + 1) * 2200)
            unread = unread ?? ids[100]
            read += ids.filter { $0 != unread }
            server.clock.advance(by: 10)
            if beginsUnread, round == 1 {
                try await server.services.marks.change(.read(false), of: .all, by: reader, at: server.clock.now)
                try await copy.sync(with: client)
                server.clock.advance(by: 10)
            }
            try await server.services.marks.change(.read(true), of: .ids(read), by: reader, at: server.clock.now)
            try await copy.sync(with: client)
            let id = try #require(unread)
            #expect(try await server.services.marks.marks(of: [id], by: reader)[id]?.read.value == false)
            #expect(await copy.marks(of: id).read == false, "round \(round)")
        }
    }

    /// Forwards some requests, and then none.
    private final class Cut: Transport {
        private let server: Server
        private let left: Mutex<Int>

        init(_ server: Server, after count: Int) {
            self.server = server
            left = Mutex(count)
        }

        func send(_ request: URLRequest) async throws -> (body: Data, response: HTTPURLResponse) {
            let isThere = left.withLock { left in
                left -= 1
                return left >= 0
            }
            guard isThere else { throw URLError(.notConnectedToInternet) }
            return try await server.send(request)
        }
    }

    @Test("An article stays unread if the connection ends while everything is fetched again")
    func anotherLibraryInterrupted() async throws {
        let folder = try TemporaryFolder()
        let (copy, ids, lost, server) = try await restored(in: folder)
        try await copy.star(ids[1], true, at: lost.clock.now)
        let client = try await server.client()
        let cut = LibraryClient(server: try URL.server, token: client.token, transport: Cut(server, after: 1))
        await #expect(throws: (any Error).self) { try await copy.sync(with: cut) }
        let report = try await copy.sync(with: client)
        #expect(report.sentMarks == 0 && report.refused.map(\.marks.article) == [ids[1]])
        #expect(await copy.marks(of: ids[1]).starred == false)
    }
}
