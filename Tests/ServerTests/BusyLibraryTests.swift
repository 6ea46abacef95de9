import Foundation
import GoogleReader
import HTTPServer
import StoreEngines
import TestSupport
import Testing
import WebAPI
import WebFront

@testable import articlesd

@Suite("A library that another program writes")
struct BusyLibraryTests {
    @Test("A busy library is readable, and the server reports health, while more logins wait than there are threads")
    func waiting() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("articles.db")
        let library = try await Library(at: .file(path), patience: 600, clock: { Date() }) { _ in }
        let services = library.services
        let site = Site(
            web: WebFront(services: services, visits: library.visits), reader: GoogleReader(services: services),
            api: WebAPI(services: services, version: "1"), feeds: FeedFront(services: services, name: ""),
            hubs: nil, work: ExpensiveWork(), limiter: RateLimiter(limit: 1_000),
            proxies: TrustedProxies(), basePath: .root, log: RequestLog(.text, clock: { Date() }) { _ in },
            metrics: Metrics(),
            reasonNotReady: { await library.reasonNotReady() }, newID: { "" })
        @Sendable func ask(_ method: HTTPMethod, _ path: String, _ body: String = "") async throws -> Int {
            let target = try #require(HTTPTarget(path))
            let request = HTTPRequest(
                method, target, fields: [.host: "a", .contentType: "application/json"], body: Array(body.utf8))
            return await site.answer(request).status.code
        }
        let descriptor = open(path + "-lock", O_RDWR)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        try await withThrowingTaskGroup { group in
            for number in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask {
                    let status = try await ask(
                        .post, "/api/v1/session", #"{"username": "ada\#(number)", "password": "wrong"}"#)
                    #expect(status == 403 || status == 429)
                }
            }
            // Only a task that has received its responses releases the lock.
            group.addTask {
                for path in ["/healthz", "/readyz", "/articles"] {
                    let status = try await ask(.get, path)
                    #expect(status == 200, "\(path)")
                }
                releaseLock(of: descriptor)
            }
            try await group.waitForAll()
        }
    }
}
