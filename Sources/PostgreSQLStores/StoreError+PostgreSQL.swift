internal import ArticleStore
internal import PostgreSQL

extension String {
    /// Whether this message of libpq is about one server.
    fileprivate var isAboutOneServer: Bool { ranges(of: "connection to server").count == 1 }
}

extension StoreError {
    /// Creates the error of a store from an error of its server.
    init(_ error: PostgreSQLError) {
        switch error {
        case .libraryMissing(let reason):
            self.init(
                .unavailable, "Cannot load libpq: \(reason)", advice: "install the package libpq5", cause: error)
        case .invalidAddress(let reason):
            self.init(
                .invalidAddress, "The address of the database \(reason)",
                advice: "see docs/postgresql.md for the parts of an address", cause: error)
        case .passwordInAddress:
            self.init(
                .invalidAddress,
                "The address of the database contains a password, which other users of this machine could see",
                advice: "remove it from the address, and write it into ~/.pgpass or the file that PGPASSFILE or "
                    + "passfile= names; then change the password", cause: error)
        // The only error of libpq itself, which is in English. With several servers, one of them may accept writes soon.
        case .unavailable(let reason) where reason.hasSuffix("session is read-only") && reason.isAboutOneServer:
            self.init(
                .readOnly, "The database only permits reading: \(reason)",
                advice: "give the address of the server that accepts writes, and look at default_transaction_read_only",
                cause: error)
        case .unavailable(let reason) where error.isAboutConnectionLimit && reason.isAboutOneServer:
            self.init(
                .busy, "The database has no free connection: \(reason)",
                advice: "try again later, or raise max_connections or the limit of the role", cause: error)
        case .unavailable(let reason):
            self.init(
                .unavailable, "Cannot connect to the database: \(reason)",
                advice: "check that the server runs, that the address, the user, and the database are right, and that "
                    + "the password is in ~/.pgpass", cause: error)
        case .oldServer(let version, let oldest):
            self.init(
                .unavailable, "The server has PostgreSQL \(version), but this program needs \(oldest) or later",
                advice: "update the server, or give the address of a newer one", cause: error)
        case .connectionLost(let reason):
            self.init(.unknownOutcome, "The connection to the database ended: \(reason)", cause: error)
        case .deadlinePassed:
            self.init(.unknownOutcome, "The database did not answer in time", cause: error)
        case .busy:
            self.init(.busy, "All connections to the database are in use", cause: error)
        case .unexpectedValue(let column, let expected):
            self.init(
                .damaged, "The database has an unexpected value: column \(column) is not \(expected)",
                advice: Self.damageAdvice, cause: error)
        case .refused(let refusal):
            let kind = Self.kind(refusal)
            self.init(
                kind, "The database refused a statement: \(refusal.message)", advice: Self.advice(kind, refusal),
                cause: error)
        }
    }

    private static let damageAdvice = "look at the log of the server, and restore a backup: see docs/postgresql.md"

    private static func advice(_ kind: Kind, _ refusal: PostgreSQLError.Refusal) -> String? {
        switch (kind, refusal.state) {
        case (.damaged, _): damageAdvice
        case (.full, _): "make room on the disk of the server"
        case (.readOnly, _): "give the address of the server that accepts writes"
        // A missing right, and a schema that the user may not see.
        case (_, "42501"), (_, "3F000"):
            "let the owner of the database grant the user all rights on its schema: see docs/postgresql.md"
        default: nil
        }
    }

    /// Creates the error of a read, which changes nothing, so its outcome is never unknown.
    init(reading error: PostgreSQLError) {
        let failure = StoreError(error)
        guard failure.kind == .unknownOutcome else {
            self = failure
            return
        }
        self.init(.unavailable, failure.description, advice: "check that the server runs", cause: error)
    }

    /// The kind of a condition. Source: PostgreSQL, appendix A.
    private static func kind(_ refusal: PostgreSQLError.Refusal) -> Kind {
        switch refusal.state {
        case "57P01": .unknownOutcome
        // Serialization failure, deadlock, a lock that was not available, too many connections, a canceled statement.
        case "40001", "40P01", "55P03", "53300", "57014": .busy
        case "57P02", "57P03", "42501", "3F000": .unavailable
        case "25006": .readOnly
        case "53100": .full
        case "58030": .inputOutput
        case "XX001", "XX002": .damaged
        default: .refused
        }
    }

    /// Returns whether a UNIQUE or PRIMARY KEY constraint with this name refused the row.
    func isViolation(of constraint: String) -> Bool {
        guard case .refused(let refusal) = cause as? PostgreSQLError else { return false }
        return refusal.state == "23505" && refusal.constraint == constraint
    }
}
