internal import PostgreSQL

/// The place of a library.
public enum StorePlace: Sendable, Hashable, CustomStringConvertible {
    /// A SQLite file with this path.
    case file(String)
    /// A database on a PostgreSQL server with this URL, such as `postgres://reader@db.example/articles`.
    ///
    /// The URL must not contain a password. libpq reads it from `~/.pgpass`, or from the file that `PGPASSFILE`, a service
    /// file, or the parameter `passfile` of the URL names.
    case server(String)

    /// Creates the place that a user has typed: a URL of PostgreSQL, or a path.
    public init(_ text: String) { self = ServerAddress.isAddress(text) ? .server(text) : .file(text) }

    /// The path or the URL.
    public var description: String {
        switch self {
        case .file(let text), .server(let text): text
        }
    }
}
