package import ArticleFetching
import ArticleImporting
package import ArticleStore
package import AuthService
package import Foundation
package import HTTPClient
package import StoreEngines
import Synchronization
package import TestSupport
import Text

/// Servers in memory, and a library that fetches from them.
package final class FakeWeb: Sendable {
    /// A request that arrived.
    package struct Request: Sendable {
        package let address: String
        package let time: Date
        package let fields: [String: [UInt8]]
        /// The user name and the password, separated by a colon.
        package let login: String?
        /// The fields of the form; nil for a request with `GET`.
        package let form: [String: String]?
    }

    package typealias Page = @Sendable (Request) throws(HTTPClientError) -> ClientResponse

    package let clock: TestClock
    package let stores: Stores
    private let pages = Mutex<[String: Page]>([:])
    private let received = Mutex<[Request]>([])
    private let numbers = Counter()

    private final class Counter: Sendable {
        private let number = Mutex<UInt8>(0)

        func next() -> UInt8 {
            number.withLock { number in
                number += 1
                return number
            }
        }
    }

    package init(_ stores: Stores, clock: TestClock = TestClock()) { (self.stores, self.clock) = (stores, clock) }

    package convenience init() async throws { self.init(try await StoreEngine.sqlite.open()) }

    /// All requests, in their order.
    package var requests: [Request] { received.withLock { $0 } }

    /// Serves an address with the responses of a closure.
    package func serve(_ address: String, _ page: @escaping Page) { pages.withLock { $0[address] = page } }

    /// Serves an address with a fixed response.
    package func serve(_ address: String, status: Int = 200, _ fields: [String: String] = [:], body: String = "") {
        serve(address) { _ throws(HTTPClientError) in
            try ClientResponse(status: status, address, fields, body: body)
        }
    }

    /// Sends a request, and follows redirects.
    package func send(_ request: ClientRequest) throws(HTTPClientError) -> ClientResponse {
        var url = request.url
        var redirects: [ClientResponse.Redirect] = []
        while true {
            let fields = Dictionary(request.fields.map { ($0.name, $0.value) }) { $1 }
            // Like a client, send the login only to its own host.
            let login = url.origin == request.url.origin ? request.credentials.map { "\($0.user):\($0.password)" } : nil
            let form = request.form.map { Dictionary($0.map { ($0.name, $0.value) }) { $1 } }
            let received = Request(address: url.text, time: clock.now, fields: fields, login: login, form: form)
            self.received.withLock { $0.append(received) }
            guard let page = pages.withLock({ $0[url.text] }) else {
                return try ClientResponse(status: 404, url.text)
            }
            let response = try page(received)
            guard (300..<400).contains(response.status), response.status != 304,
                let location = response.value(of: "location")
            else {
                return ClientResponse(
                    status: response.status, fields: response.fields, body: response.body, url: url,
                    redirects: redirects)
            }
            redirects.append(.init(status: response.status, from: url))
            url = try HTTPURL(String(decoding: location, as: UTF8.self), relativeTo: url)
        }
    }

    /// Returns the fetcher of a process.
    package func fetcher(
        holder: String = "test", send: SourceFetcher.Send? = nil, random: @escaping @Sendable () -> Double = { 0 },
        pause: @escaping @Sendable () async throws -> Void = {
            await Latch().wait()
            try Task.checkCancellation()
        }
    ) -> SourceFetcher {
        let clock = clock
        return SourceFetcher(
            articles: stores.articles, subscriptions: stores.subscriptions, importing: ImportOptions(),
            holder: holder, clock: { clock.now }, random: random, pause: pause,
            send: send ?? { [self] request throws(HTTPClientError) in try self.send(request) })
    }

    /// Returns a subscriber to hubs. Its tokens are the numbers 1, 2, and so on.
    package func hubSubscriber(holder: String = "test", send: SourceFetcher.Send? = nil) -> HubSubscriber {
        let numbers = numbers
        return HubSubscriber(
            fetcher(holder: holder, send: send),
            randomBytes: { Array(repeating: 0, count: $0 - 1) + [numbers.next()] },
            address: { "https://articles.example/websub/" + $0 })
    }

    /// The client for the feeds.
    package var feeds: FeedSubscriber { FeedSubscriber { [self] in fetcher() } }

    /// Returns the changes of subscriptions by a caller.
    ///
    /// - Parameter record: Called with each change before it is made.
    package func editor(record: @escaping @Sendable (String) -> Void = { _ in }) -> SubscriptionEditor {
        SubscriptionEditor(
            articles: stores.articles, subscriptions: stores.subscriptions, feeds: feeds,
            recording: { [stores] change in
                record(change)
                return stores.articles
            })
    }

    /// Adds a source with a subscription that is due.
    @discardableResult
    package func subscribe(to address: String, name: String = "feed") async throws -> Source.ID {
        let source = try await stores.articles.write(needing: WriteNeeds()) { writer in
            try writer.insert(
                SourceFacts(name: name, kind: .feed, location: ExactText(address), feedURL: address), uid: nil)
        }
        try await stores.subscriptions.insert([
            Subscription(source: source.id, address: address, nextFetch: clock.now)
        ])
        return source.id
    }

    /// Adds a user, and returns the number.
    package func user(_ name: String) async throws -> User.ID {
        try await stores.accounts.createUser(
            username: Username(name), region: Region("DE"), passwordHash: PasswordHash(encoded: "hash"),
            invitation: nil, recording: AuditEvent(.registered, at: clock.now, client: "test")
        ).id
    }

    /// Fetches what is due, and returns the results.
    package func fetch(_ fetcher: SourceFetcher? = nil) async throws -> [FetchResult] {
        var results: [FetchResult] = []
        _ = try await (fetcher ?? self.fetcher()).fetchDue { results.append($0) }
        return results
    }

    /// Returns the only subscription.
    package func subscription() async throws -> Subscription {
        let all = try await stores.subscriptions.subscriptions()
        guard let first = all.first, all.count == 1 else { throw CocoaError(.coderValueNotFound) }
        return first
    }

    /// Returns a feed whose entries were published at these times.
    package static func feed(_ times: [Date], head: String = "", title: String = "Feed") -> String {
        let items = times.map { time in
            let seconds = Int(time.timeIntervalSince1970)
            return """
                <entry><id>urn:x:\(seconds)</id><title>Entry \(seconds)</title><updated>\(time.formatted(.iso8601))</updated>\
                <published>\(time.formatted(.iso8601))</published><content>Text \(seconds)</content></entry>
                """
        }
        return #"<feed xmlns="http://www.w3.org/2005/Atom"><title>\#(title)</title>\#(head)"# + items.joined()
            + "</feed>"
    }
}

extension ClientResponse {
    package init(
        status: Int, _ address: String, _ fields: [String: String] = [:], body: String = ""
    ) throws(HTTPClientError) {
        self.init(
            status: status, fields: fields.sorted { $0.key < $1.key }.map { HTTPClientField($0.key, $0.value) },
            body: Array(body.utf8), url: try HTTPURL(address), redirects: [])
    }
}
