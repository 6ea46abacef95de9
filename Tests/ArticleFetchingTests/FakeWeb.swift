import ArticleFetching
import ArticleImporting
import ArticleStore
import Foundation
import HTTPClient
import StoreEngines
import Synchronization
import TestSupport
import Text

/// Servers in memory, and a library that fetches from them.
final class FakeWeb: Sendable {
    /// A request that arrived.
    struct Request: Sendable {
        let address: String
        let time: Date
        let fields: [String: [UInt8]]
    }

    typealias Page = @Sendable (Request) throws(HTTPClientError) -> ClientResponse

    let clock = TestClock()
    let stores: Stores
    private let pages = Mutex<[String: Page]>([:])
    private let received = Mutex<[Request]>([])

    init(_ stores: Stores) { self.stores = stores }

    convenience init() async throws { self.init(try await StoreEngine.sqlite.open()) }

    /// All requests, in their order.
    var requests: [Request] { received.withLock { $0 } }

    /// Serves an address with the responses of a closure.
    func serve(_ address: String, _ page: @escaping Page) { pages.withLock { $0[address] = page } }

    /// Serves an address with a fixed response.
    func serve(_ address: String, status: Int = 200, _ fields: [String: String] = [:], body: String = "") {
        serve(address) { _ throws(HTTPClientError) in
            try ClientResponse(status: status, address, fields, body: body)
        }
    }

    /// Sends a request, and follows redirects.
    func send(_ request: ClientRequest) throws(HTTPClientError) -> ClientResponse {
        var url = request.url
        var redirects: [ClientResponse.Redirect] = []
        while true {
            let fields = Dictionary(request.fields.map { ($0.name, $0.value) }) { $1 }
            let received = Request(address: url.text, time: clock.now, fields: fields)
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
    func fetcher(
        holder: String = "test", send: SourceFetcher.Send? = nil, random: @escaping @Sendable () -> Double = { 0 }
    ) -> SourceFetcher {
        let clock = clock
        return SourceFetcher(
            articles: stores.articles, subscriptions: stores.subscriptions, importing: ImportOptions(),
            holder: holder, clock: { clock.now }, random: random,
            send: send ?? { [self] request throws(HTTPClientError) in try self.send(request) })
    }

    /// Returns the changes of subscriptions by a caller.
    ///
    /// - Parameter record: Called with each change before it is made.
    func editor(record: @escaping @Sendable (String) -> Void = { _ in }) -> SubscriptionEditor {
        SubscriptionEditor(
            subscriptions: stores.subscriptions, feeds: FeedSubscriber { [self] in fetcher() },
            recording: { [stores] change in
                record(change)
                return stores.articles
            })
    }

    /// Adds a source with a subscription that is due.
    @discardableResult
    func subscribe(to address: String, name: String = "feed") async throws -> Source.ID {
        let source = try await stores.articles.write(needing: WriteNeeds()) { writer in
            try writer.insert(
                SourceFacts(name: name, kind: .feed, location: ExactText(address), feedURL: address), uid: nil)
        }
        try await stores.subscriptions.insert([
            Subscription(source: source.id, address: address, nextFetch: clock.now)
        ])
        return source.id
    }

    /// Fetches what is due, and returns the results.
    func fetch(_ fetcher: SourceFetcher? = nil) async throws -> [FetchResult] {
        var results: [FetchResult] = []
        _ = try await (fetcher ?? self.fetcher()).fetchDue { results.append($0) }
        return results
    }

    /// Returns the only subscription.
    func subscription() async throws -> Subscription {
        let all = try await stores.subscriptions.subscriptions()
        guard let first = all.first, all.count == 1 else { throw CocoaError(.coderValueNotFound) }
        return first
    }

    /// Returns a feed whose entries were published at these times.
    static func feed(_ times: [Date], head: String = "", title: String = "Feed") -> String {
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
    init(
        status: Int, _ address: String, _ fields: [String: String] = [:], body: String = ""
    ) throws(HTTPClientError) {
        self.init(
            status: status, fields: fields.sorted { $0.key < $1.key }.map { HTTPClientField($0.key, $0.value) },
            body: Array(body.utf8), url: try HTTPURL(address), redirects: [])
    }
}
