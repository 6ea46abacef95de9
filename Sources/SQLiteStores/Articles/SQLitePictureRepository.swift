package import ArticleStore
import AuthService
package import Database
package import Text

/// The pictures in the tables `picture` and `article_picture`.
package struct SQLitePictureRepository: PictureRepository {
    private let database: LibraryFile

    /// Creates a repository of the pictures in `database`.
    package init(database: Database) { self.database = LibraryFile(database) }

    private static let selectProgress =
        "SELECT copy, last_article, last_change, start_after, read_at FROM picture_progress"

    /// The size of the pictures of the source of an article, which is the value ?1.
    private static let sourceBytes = """
        (SELECT ifnull(sum(length(p.bytes)), 0) FROM article AS s JOIN article_picture AS k ON k.article_id = s.id
        JOIN picture AS p ON p.uid = k.picture_uid
        WHERE s.source_id = (SELECT source_id FROM article WHERE id = ?1))
        """

    /// The size of the pictures of an article, which is the value ?1.
    private static let articleBytes = """
        (SELECT ifnull(sum(length(p.bytes)), 0) FROM article_picture AS k JOIN picture AS p ON p.uid = k.picture_uid
        WHERE k.article_id = ?1)
        """

    /// Returns the progress. See `PictureRepository`.
    package func progress() async throws -> PictureProgress? {
        try database.first(Self.selectProgress, [], Self.progress)
    }

    /// Replaces the addresses of pictures. See `PictureRepository`.
    package func setAddresses(
        _ addresses: [Int64: [String]], from old: PictureProgress?, to new: PictureProgress, limits: PictureLimits,
        at now: Date
    ) async throws -> Bool {
        try await database.write { transaction in
            guard try transaction.first(Self.selectProgress, [], Self.progress) == old else { return false }
            try transaction.run(
                """
                INSERT OR REPLACE INTO picture_progress (id, copy, last_article, last_change, start_after, read_at)
                VALUES (1, ?, ?, ?, ?, ?)
                """,
                [
                    Value(new.position.copy), Value(new.position.article), Value(new.position.change),
                    Value(new.start), Value(new.date),
                ])
            for (article, addresses) in addresses {
                let list = Value(list: addresses.map { JSON.string($0) })
                let isCovered = try transaction.first(
                    """
                    SELECT 1 FROM article WHERE id = ?1
                    AND (id > ?2 OR EXISTS (SELECT 1 FROM article_picture WHERE article_id = ?1))
                    """, [Value(article), Value(new.start)]
                ) { _ in true }
                guard isCovered == true else { continue }
                try transaction.run(
                    """
                    DELETE FROM article_picture
                    WHERE article_id = ?1 AND address NOT IN (SELECT value FROM json_each(?2))
                    """, [Value(article), list])
                guard !addresses.isEmpty else { continue }
                try transaction.run(
                    """
                    INSERT INTO article_picture (article_id, address, next_attempt_at, attempts)
                    SELECT ?1, value, ?3, 0 FROM json_each(?2) WHERE \(Self.sourceBytes) < ?4
                    ON CONFLICT DO NOTHING
                    """, [Value(article), list, Value(now), Value(limits.sourceBytes)])
            }
            return true
        }
    }

    /// Claims pictures. See `PictureRepository`.
    package func claimPictures(upTo count: Int, at now: Date) async throws -> [PictureClaim] {
        let due = "SELECT article_id, address FROM article_picture WHERE next_attempt_at <= ?1"
        // Usually nothing is due. Then do not wait for the write lock.
        guard try database.first(due + " LIMIT 1", [Value(now)], { _ in true }) != nil else { return [] }
        return try await database.write { transaction in
            try transaction.query(
                """
                UPDATE article_picture SET attempts = attempts + 1,
                    next_attempt_at = CASE WHEN attempts + 1 < ?3 THEN ?1 + (?4 << (3 * attempts)) END
                WHERE (article_id, address) IN (
                    \(due) ORDER BY next_attempt_at, article_id, address LIMIT ?2)
                RETURNING article_id, address
                """, [Value(now), Value(count), Value(PictureClaim.attempts), Value(PictureClaim.pause)]
            ) { PictureClaim(article: try $0.value(0), address: try $0.value(1)) }
        }
    }

    /// Stores a claimed picture. See `PictureRepository`.
    package func finish(
        _ claim: PictureClaim, with picture: Picture?, limits: PictureLimits
    ) async throws -> Bool {
        let key = [Value(claim.article), Value(claim.address)]
        let hash = picture.map { Sodium.sha256($0.bytes) }
        return try await database.write { transaction in
            let isOpen = try transaction.run(
                """
                UPDATE article_picture SET next_attempt_at = NULL
                WHERE article_id = ?1 AND address = ?2 AND picture_uid IS NULL
                """, key)
            guard isOpen > 0, let picture, let hash else { return false }
            let hasRoom = try transaction.first(
                "SELECT \(Self.articleBytes) <= ?2 AND \(Self.sourceBytes) <= ?3",
                [
                    Value(claim.article), Value(limits.articleBytes - picture.bytes.count),
                    Value(limits.sourceBytes - picture.bytes.count),
                ]
            ) { try $0.value(0) as Bool }
            guard hasRoom == true else { return false }
            try transaction.run(
                "INSERT INTO picture (uid, hash, type, bytes) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING",
                [
                    Value(PictureUID.random().description), Value(hash), Value(picture.type.rawValue),
                    Value(picture.bytes),
                ])
            return try transaction.run(
                """
                UPDATE article_picture SET picture_uid = (SELECT uid FROM picture WHERE hash = ?3)
                WHERE article_id = ?1 AND address = ?2
                """, key + [Value(hash)]) > 0
        }
    }

    /// Returns the pictures of articles. See `PictureRepository`.
    package func pictures(of articles: [Int64]) async throws -> [Int64: ArticlePictures] {
        var pictures: [Int64: ArticlePictures] = [:]
        try database.forEach(
            """
            SELECT k.article_id, k.address, p.uid, p.type, length(p.bytes)
            FROM article_picture AS k JOIN picture AS p ON p.uid = k.picture_uid
            WHERE k.article_id IN (SELECT value FROM json_each(?))
            """, [Value(list: articles)]
        ) { row in
            pictures[try row.value(0), default: [:]][try row.value(1)] = ArticlePicture(
                uid: try row.value(2) { PictureUID($0) }, type: try row.value(3) { ImageType(rawValue: $0) },
                size: try row.value(4))
        }
        return pictures
    }

    /// Returns a picture. See `PictureRepository`.
    package func picture(_ uid: PictureUID) async throws -> Picture? {
        try database.first("SELECT bytes FROM picture WHERE uid = ?", [Value(uid.description)]) {
            Picture(try $0.value(0) as [UInt8])
        } ?? nil
    }

    /// Returns the number and the size of all pictures. See `PictureRepository`.
    package func size() async throws -> PictureSize {
        try database.first("SELECT count(*), ifnull(sum(length(bytes)), 0) FROM picture", []) {
            PictureSize(count: try $0.value(0), bytes: try $0.value(1))
        } ?? PictureSize(count: 0, bytes: 0)
    }

    private static func progress(_ row: Row) throws -> PictureProgress {
        PictureProgress(
            position: LogPosition(copy: try row.value(0), article: try row.value(1), change: try row.value(2)),
            start: try row.value(3), date: try row.value(4))
    }
}
