import ArticlesClient
import Foundation

/// A program that stores its articles. It needs the server only to log in and to synchronize.
@main
struct OfflineReader {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("offline-reader: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        guard arguments.count >= 2 else { throw Usage() }
        let (folder, rest) = (URL(filePath: arguments[0]), Array(arguments.dropFirst(2)))
        let library = try OfflineLibrary(file: folder.appending(path: "library.json"))
        switch (arguments[1], rest.count) {
        case ("login", 2):
            // Other users of the machine could see a password in an argument, so it is read from standard input.
            guard let server = URL(string: rest[0]), let password = readLine() else { throw Usage() }
            let client = try await LibraryClient(server: server)
                .loggedIn(username: rest[1], password: password, as: "offline-reader")
            try Login(server: server, token: client.token ?? "").save(in: folder)
            print("Logged in as \(try await client.account().username).")
        case ("sync", 0):
            let login = try Login(in: folder)
            let report = try await library.sync(with: LibraryClient(server: login.server, token: login.token))
            print(
                "\(report.articles) articles came, \(report.deletedArticles) were deleted, \(report.sentMarks) marks were sent."
            )
        case ("list", 0):
            for article in await library.articles {
                let marks = await library.marks(of: article.id)
                print("\(article.id)\t\(marks.read ? " " : "•")\(marks.starred ? "*" : " ")\t\(article.title)")
            }
        case ("read", 1):
            let article = try await find(rest[0], in: library)
            try await library.read(article.id, true, at: .now)
            print("\(article.title)\n\n\(article.body)")
        case ("star", 1):
            try await library.star(try await find(rest[0], in: library).id, true, at: .now)
        default: throw Usage()
        }
    }

    private static func find(_ text: String, in library: OfflineLibrary) async throws -> Article {
        guard let id = Int64(text), let article = await library.article(id) else { throw NoArticle(name: text) }
        return article
    }

    /// The address of the server and the token, in a file that only its user can read.
    private struct Login: Codable {
        let server: URL
        let token: String

        init(server: URL, token: String) { (self.server, self.token) = (server, token) }

        init(in folder: URL) throws {
            self = try JSONDecoder().decode(Login.self, from: Data(contentsOf: folder.appending(path: "login.json")))
        }

        func save(in folder: URL) throws {
            let file = folder.appending(path: "login.json").path(percentEncoded: false)
            // Create the file with its final permissions, so that other users cannot open it even for a moment.
            guard
                FileManager.default.createFile(
                    atPath: file, contents: try JSONEncoder().encode(self), attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    private struct Usage: Error, CustomStringConvertible {
        var description: String {
            "offline-reader FOLDER login SERVER NAME | sync | list | read NUMBER | star NUMBER"
        }
    }

    private struct NoArticle: Error, CustomStringConvertible {
        let name: String
        var description: String { "there is no article \(name) in this copy; list shows those that there are" }
    }
}
