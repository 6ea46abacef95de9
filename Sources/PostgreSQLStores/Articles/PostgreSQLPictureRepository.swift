package import ArticleStore
import AuthService
import PostgreSQL
package import Text

/// The pictures in the tables `picture` and `article_picture`.
package struct PostgreSQLPictureRepository: PictureRepository {
    private let server: LibraryServer

    /// Creates a repository of the pictures on `server`.
    package init(_ server: LibraryServer) { self.server = server }

    private static let selectProgress =
        "SELECT copy, last_article, last_change, start_after, read_at FROM picture_progress"

    /// The size of the pictures of the source of an article, which is the value $1.
    private static let sourceBytes = """
        (SELECT coalesce(sum(octet_length(p.bytes)), 0) FROM article AS s JOIN article_picture AS k ON k.article_id = s.id
        JOIN picture AS p ON p.uid = k.picture_uid
        WHERE s.source_id = (SELECT source_id FROM article WHERE id = $1))
        """

    /// The size of the pictures of an article, which is the value $1.
    private static let articleBytes = """
        (SELECT coalesce(sum(octet_length(p.bytes)), 0)
        FROM article_picture AS k JOIN picture AS p ON p.uid = k.picture_uid WHERE k.article_id = $1)
        """

    /// Returns the progress. See `PictureRepository`.
    package func progress() async throws -> PictureProgress? {
        try await server.first(Statement(Self.selectProgress), Self.progress)
    }

    /// Replaces the addresses of pictures. See `PictureRepository`.
    package func setAddresses(
        _ addresses: [Int64: [String]], from old: PictureProgress?, to new: PictureProgress, limits: PictureLimits,
        at now: Date
    ) async throws -> Bool {
        try await server.write { transaction in
            // The lock keeps the progress until the end of the transaction, and the insertion fails on one of another.
            let stored = try await transaction.run([Statement(Self.selectProgress + " FOR UPDATE")])[0]
                .map(Self.progress).first
            guard stored == old else { return false }
            let values: [Value] = [
                .text(new.position.copy), Value(new.position.article), Value(new.position.change), Value(new.start),
                Value(new.date),
            ]
            let changed = try await transaction.run([
                Statement(
                    old == nil
                        ? """
                        INSERT INTO picture_progress (id, copy, last_article, last_change, start_after, read_at)
                        VALUES (1, $1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING
                        """
                        : """
                        UPDATE picture_progress
                        SET (copy, last_article, last_change, start_after, read_at) = ROW ($1, $2, $3, $4, $5)
                        """, values)
            ])
            guard changed[0].affected > 0 else { return false }
            let isCovered = """
                EXISTS (SELECT FROM article WHERE id = $1 AND (id > $3 OR EXISTS (
                    SELECT FROM article_picture WHERE article_id = $1)))
                """
            for (article, addresses) in addresses.sorted(by: { $0.key < $1.key }) {
                let key: [Value] = [Value(article), .texts(addresses), Value(new.start)]
                transaction.queue([
                    // Insert first: the article may have only addresses that are not in its text any more.
                    Statement(
                        """
                        INSERT INTO article_picture (article_id, address, next_attempt_at, attempts)
                        SELECT $1, a, $4, 0 FROM unnest($2) AS a WHERE \(isCovered) AND \(Self.sourceBytes) < $5
                        ON CONFLICT DO NOTHING
                        """, key + [Value(now), Value(limits.sourceBytes)]),
                    Statement(
                        "DELETE FROM article_picture WHERE article_id = $1 AND address <> ALL ($2)",
                        [Value(article), .texts(addresses)]),
                ])
            }
            return true
        }
    }

    /// Claims pictures. See `PictureRepository`.
    package func claimPictures(upTo count: Int, at now: Date) async throws -> [PictureClaim] {
        // A process skips rows that another one is claiming, and chooses the others before: see `claimDue`.
        let rows = try await server.write([
            Statement(
                """
                WITH due AS MATERIALIZED (
                    SELECT article_id AS id, address AS place FROM article_picture WHERE next_attempt_at <= $1
                    ORDER BY next_attempt_at, article_id, address LIMIT $2 FOR UPDATE SKIP LOCKED)
                UPDATE article_picture SET attempts = attempts + 1,
                    next_attempt_at = CASE WHEN attempts + 1 < $3 THEN $1 + ($4 << (3 * attempts)::integer) END
                FROM due WHERE article_id = due.id AND address = due.place RETURNING article_id, address
                """, [Value(now), Value(count), Value(PictureClaim.attempts), Value(PictureClaim.pause)])
        ])[0]
        return try translating {
            try rows.map { PictureClaim(article: try $0.value(0), address: try $0.value(1)) }
        }
    }

    /// Stores a claimed picture. See `PictureRepository`.
    package func finish(
        _ claim: PictureClaim, with picture: Picture?, limits: PictureLimits
    ) async throws -> Bool {
        let key: [Value] = [Value(claim.article), .text(claim.address)]
        let uid = PictureUID.random().description
        let end = Statement(
            """
            UPDATE article_picture SET next_attempt_at = NULL
            WHERE article_id = $1 AND address = $2 AND picture_uid IS NULL
            """, key)
        guard let picture else {
            try await server.write([end])
            return false
        }
        let hash = Sodium.sha256(picture.bytes)
        return try await server.write { transaction in
            let size = Value(picture.bytes.count)
            let results = try await transaction.run([
                end,
                Statement(
                    "SELECT \(Self.articleBytes) + $2 <= $3 AND \(Self.sourceBytes) + $2 <= $4",
                    [Value(claim.article), size, Value(limits.articleBytes), Value(limits.sourceBytes)]),
            ])
            guard results[0].affected > 0, try results[1].map({ try $0.value(0) as Bool }) == [true] else {
                return false
            }
            transaction.queue([
                // The update locks a picture that exists, so that no other transaction deletes it before the end of this one.
                Statement(
                    """
                    INSERT INTO picture (uid, hash, type, bytes) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (hash) DO UPDATE SET type = excluded.type
                    """, [.text(uid), .bytes(hash), .text(picture.type.rawValue), .bytes(picture.bytes)]),
                Statement(
                    """
                    UPDATE article_picture SET picture_uid = (SELECT uid FROM picture WHERE hash = $3)
                    WHERE article_id = $1 AND address = $2
                    """, key + [.bytes(hash)]),
            ])
            return true
        }
    }

    /// Returns the pictures of articles. See `PictureRepository`.
    package func pictures(of articles: [Int64]) async throws -> [Int64: ArticlePictures] {
        guard !articles.isEmpty else { return [:] }
        let rows = try await server.query(
            Statement(
                """
                SELECT k.article_id, k.address, p.uid, p.type, octet_length(p.bytes)
                FROM article_picture AS k JOIN picture AS p ON p.uid = k.picture_uid WHERE k.article_id = ANY ($1)
                """, [.integers(articles)])
        ) { row in
            (
                try row.value(0) as Int64, try row.value(1) as String,
                ArticlePicture(
                    uid: try row.value(2) { PictureUID($0) }, type: try row.value(3) { ImageType(rawValue: $0) },
                    size: try row.value(4))
            )
        }
        return rows.reduce(into: [:]) { $0[$1.0, default: [:]][$1.1] = $1.2 }
    }

    /// Returns a picture. See `PictureRepository`.
    package func picture(_ uid: PictureUID) async throws -> Picture? {
        try await server.first(Statement("SELECT bytes FROM picture WHERE uid = $1", [.text(uid.description)])) {
            Picture(try $0.value(0) as [UInt8])
        } ?? nil
    }

    /// Returns the number and the size of all pictures. See `PictureRepository`.
    package func size() async throws -> PictureSize {
        try await server.first("SELECT count(*), coalesce(sum(octet_length(bytes)), 0)::bigint FROM picture") {
            PictureSize(count: try $0.value(0), bytes: try $0.value(1))
        } ?? PictureSize(count: 0, bytes: 0)
    }

    private static func progress(_ row: Row) throws -> PictureProgress {
        PictureProgress(
            position: LogPosition(copy: try row.value(0), article: try row.value(1), change: try row.value(2)),
            start: try row.value(3), date: try row.value(4))
    }
}
