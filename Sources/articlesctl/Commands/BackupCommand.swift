import Arguments
import Database
import Migrations
import Platform
import Terminal
import Text

/// `backup`: copies the database while it is in use.
struct BackupCommand: Command {
    static let name = "backup"
    static let spec = CommandSpec(
        name: name, summary: "back up the database while it is in use, and check the copy",
        discussion: """
            The copy is a consistent snapshot, even if others write at the same time. It is checked completely, \
            flushed to the disk, and only then gets its name. Only you can read it, because it also contains users, \
            sessions, the passwords of feeds, and the secrets of hubs. Other processes do not wait for it.

            In a FOLDER, its name contains the name of the database and the time; --keep then removes the oldest \
            backups with such names. A FOLDER that ends in / is created if it does not exist. To use a backup, see \
            “restore”.
            """,
        arguments: [ArgumentSpec(name: "PATH", summary: "a new file, or a folder", values: .file)],
        options: [
            OptionSpec(name: "keep", summary: "the maximum number of backups in the folder", value: "NUMBER")
        ],
        examples: [
            Example(command: "articlesctl backup ~/articles.backup", summary: "back up to a file"),
            Example(command: "articlesctl backup /backups/ --keep 14", summary: "keep the last 14 backups"),
        ])

    private let path: String
    private let isFolder: Bool
    private let count: Int?

    init(_ parsed: ParsedCommand) throws {
        path = parsed.argument("PATH") ?? ""
        var info = stat()
        isFolder = path.hasSuffix("/") || stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        count = try parsed.integer("keep", in: 1...1_000_000)
        if count != nil, !isFolder {
            throw parsed.error(
                .other("--keep needs a folder: write \(path)/ to create one"))
        }
    }

    func run(in context: Context) async throws {
        let file = try context.locations.place.file(
            for: "backup", onServer: "use pg_dump, pgBackRest, or point-in-time recovery")
        let database = try context.database(ofAnyVersionAt: file)
        let folder = BackupFolder(path: path, of: file)
        if isFolder {
            try Locations.makeFolder(path)
            try folder.removeLeftovers()
        }
        let destination = isFolder ? folder.newPath(at: context.clock()) : path
        let backup = try context.keeping { try database.backUp(to: destination, progress: $0) }
        let removed = try count.map { try remove(from: folder, butNewest: $0, after: backup) } ?? []
        let articles = backup.rows["article"] ?? 0
        let passwords = backup.rows["subscription_password"] ?? 0
        try context.report(
            "\(backup.path): \(articles.articles), \(ByteCount(backup.bytes)), checked."
                + (removed.isEmpty ? "" : " Removed \(removed.count) older.")
                + (passwords > 0
                    ? " It contains \(passwords.quantity(of: "password of a feed", "passwords of feeds")): keep it secret."
                    : ""),
            json: [
                "path": .string(backup.path), "bytes": JSON(backup.bytes), "articles": JSON(articles),
                "removed": JSON(removed), "feedPasswords": JSON(passwords),
            ])
    }

    private func remove(from folder: BackupFolder, butNewest count: Int, after backup: Backup) throws -> [String] {
        do {
            return try folder.removeAll(butNewest: count)
        } catch {
            let failure = CommandError(error)
            throw CommandError(
                "saved \(backup.path), but cannot remove an older backup: \(failure.message)",
                hint: failure.hint, code: failure.code)
        }
    }
}
