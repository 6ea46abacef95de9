package import ArticleStore
import Text

extension PictureRepository {
    /// Stores the only picture of an article as if it had been fetched, and returns the reference to it; nil if it was refused.
    @discardableResult
    package func store(_ picture: Picture, at address: String, of article: Int64) async throws -> ArticlePicture? {
        let old = try await progress()
        let position = LogPosition(copy: "copy", article: (old?.position.article ?? 0) + 1, change: 0)
        let time = Date(timeIntervalSince1970: 0)
        let new = PictureProgress(position: position, start: 0, date: time)
        _ = try await setAddresses([article: [address]], from: old, to: new, limits: PictureLimits(), at: time)
        _ = try await finish(PictureClaim(article: article, address: address), with: picture, limits: PictureLimits())
        return try await pictures(of: article)[address]
    }
}
