package import Text

/// Stores the pictures of articles, and which of them are still to be fetched. Several processes may fetch pictures at the
/// same time: each first claims them.
package protocol PictureRepository: Sendable {
    /// Returns the position up to which the texts of articles were searched for pictures; nil if they never were.
    func progress() async throws -> PictureProgress?

    /// Replaces the addresses of the pictures of articles. Addresses that an article had before keep their pictures.
    ///
    /// It leaves out an article that does not exist, or that arrived before the pictures were fetched and has none. A new
    /// address is due at `now`, unless the pictures of the source have reached their limit.
    ///
    /// - Parameters:
    ///   - addresses: the absolute addresses by article, each at most 2,048 bytes.
    ///   - old: the progress that was read before.
    ///   - new: the progress that replaces it.
    /// - Returns: whether the stored progress was still `old`. Otherwise nothing changes.
    func setAddresses(
        _ addresses: [Int64: [String]], from old: PictureProgress?, to new: PictureProgress, limits: PictureLimits,
        at now: Date
    ) async throws -> Bool

    /// Claims pictures that are due, the ones that have waited longest first. The attempt counts, even if it never ends.
    ///
    /// The next attempt is ``PictureClaim/pause`` later, and each further one after 8 times that. There is none after
    /// ``PictureClaim/attempts``.
    ///
    /// - Parameter count: the maximum number.
    func claimPictures(upTo count: Int, at now: Date) async throws -> [PictureClaim]

    /// Stores a claimed picture, unless it exceeds a limit or its article does not have the address any more. There are no
    /// more attempts.
    ///
    /// - Parameter picture: the picture; nil if there will never be one at the address.
    /// - Returns: whether it was stored.
    func finish(_ claim: PictureClaim, with picture: Picture?, limits: PictureLimits) async throws -> Bool

    /// Returns the stored pictures of articles. Articles without pictures are missing.
    func pictures(of articles: [Int64]) async throws -> [Int64: ArticlePictures]

    /// Returns a picture; nil if there is none with the identifier.
    func picture(_ uid: PictureUID) async throws -> Picture?

    /// Returns the number of different pictures, and their size in bytes.
    func size() async throws -> PictureSize
}

/// The right of a process to fetch a picture.
package struct PictureClaim: Sendable, Hashable {
    /// The maximum number of attempts.
    package static let attempts = 4
    /// The time in seconds between the first two attempts. A claim lasts that long.
    package static let pause = 1_800

    /// The article.
    package let article: Int64
    /// The absolute address of the picture.
    package let address: String

    /// Creates a claim.
    package init(article: Int64, address: String) { (self.article, self.address) = (article, address) }

    /// Returns the time from an attempt to the next one, in seconds; nil if there is none.
    ///
    /// - Parameter attempts: the number of attempts, including this one.
    package static func pause(after attempts: Int) -> Int? {
        attempts < Self.attempts ? pause << (3 * (attempts - 1)) : nil
    }
}

/// The position in the log of changes up to which the texts of articles were searched for pictures.
package struct PictureProgress: Sendable, Hashable {
    /// The position.
    package var position: LogPosition
    /// The number of the last article that arrived before the pictures were fetched.
    package var start: Int64
    /// The time of the last search, in whole seconds.
    package var date: Date

    /// Creates a progress.
    package init(position: LogPosition, start: Int64, date: Date) {
        (self.position, self.start, self.date) = (position, start, date)
    }
}

/// The number and the size of the pictures of a library.
package struct PictureSize: Sendable, Hashable {
    /// The number of different pictures.
    package var count: Int
    /// Their size in bytes.
    package var bytes: Int

    /// Creates a size.
    package init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }
}
