import ArticleStore
import AuthService
import Database
import Essentials
import FlowCoordinators
import HTTPServer
import Migrations
import Platform
import ReadingStore
import WebFront

@main
struct Articlesd {
    static func main() async throws {
        let database = try Database(path: CommandLine.arguments[1], schema: .articlesctl)
        let services = Services(
            auth: AuthService(database: database), articles: SQLiteArticleRepository(database: database, clock: { Date() }),
            marks: SQLiteMarkRepository(database: database), reading: SQLiteReadingStateRepository(database: database),
            clock: { Date() })
        let front = WebFront(services: services)
        let server = try HTTPServer(on: .internet(host: "127.0.0.1", port: Int(CommandLine.arguments[2]) ?? 8080)) {
            await front.answer($0)
        }
        print("http://127.0.0.1:\(server.port ?? 0)")
        try await Task.sleep(for: .seconds(36_000))
    }
}
