package import ArticleStore
package import Foundation
internal import Synchronization
internal import Text

/// Pictures of the articles in memory.
package final class MemoryPictures: PictureRepository {
    private struct Place {
        var picture: PictureUID?
        var nextAttempt: Date?
        var attempts = 0
    }

    private struct State {
        var progress: PictureProgress?
        var places: [Int64: [String: Place]] = [:]
        var pictures: [PictureUID: Picture] = [:]

        func size(of places: [String: Place]) -> Int {
            places.values.compactMap { $0.picture.flatMap { pictures[$0]?.bytes.count } }.reduce(0, +)
        }

        /// Removes the pictures that no article has any more.
        mutating func clean() {
            let used = Set(places.values.flatMap { $0.values.compactMap(\.picture) })
            pictures = pictures.filter { used.contains($0.key) }
        }
    }

    private let articles: MemoryArticles
    private let state = Mutex(State())

    package init(_ articles: MemoryArticles) { self.articles = articles }

    /// Runs `body` with the state, without articles that were deleted since, and the sources of the others.
    private func withState<T: Sendable>(_ body: (inout State, _ sources: [Int64: Source.ID]) throws -> T) rethrows -> T
    {
        let sources = articles.sourcesOfArticles()
        return try state.withLock { state in
            state.places = state.places.filter { sources[$0.key] != nil }
            state.clean()
            return try body(&state, sources)
        }
    }

    package func progress() async throws -> PictureProgress? { state.withLock(\.progress) }

    private func sourceBytes(_ source: Source.ID?, _ state: State, _ sources: [Int64: Source.ID]) -> Int {
        state.places.filter { sources[$0.key] == source }.values.map { state.size(of: $0) }.reduce(0, +)
    }

    package func setAddresses(
        _ addresses: [Int64: [String]], from old: PictureProgress?, to new: PictureProgress, limits: PictureLimits,
        at now: Date
    ) async throws -> Bool {
        withState { state, sources in
            guard state.progress == old else { return false }
            state.progress = new
            for (article, addresses) in addresses {
                var places = state.places[article] ?? [:]
                guard let source = sources[article], article > new.start || !places.isEmpty else { continue }
                places = places.filter { addresses.contains($0.key) }
                state.places[article] = places
                let isFull = sourceBytes(source, state, sources) >= limits.sourceBytes
                for address in addresses where !isFull && places[address] == nil {
                    places[address] = Place(nextAttempt: now)
                }
                state.places[article] = places
                state.clean()
            }
            return true
        }
    }

    package func claimPictures(upTo count: Int, at now: Date) async throws -> [PictureClaim] {
        withState { state, _ in
            let due = state.places.flatMap { article, places in
                places.compactMap { address, place in
                    place.nextAttempt.flatMap { $0 <= now ? (time: $0, article: article, address: address) : nil }
                }
            }.sorted { ($0.time, $0.article, $0.address) < ($1.time, $1.article, $1.address) }
            return due.prefix(count).map { _, article, address in
                let attempts = (state.places[article]?[address]?.attempts ?? 0) + 1
                let next = PictureClaim.pause(after: attempts).map { now.addingTimeInterval(Double($0)) }
                state.places[article]?[address] = Place(nextAttempt: next, attempts: attempts)
                return PictureClaim(article: article, address: address)
            }
        }
    }

    package func finish(
        _ claim: PictureClaim, with picture: Picture?, limits: PictureLimits
    ) async throws -> Bool {
        withState { state, sources in
            guard var place = state.places[claim.article]?[claim.address], place.picture == nil else { return false }
            place.nextAttempt = nil
            state.places[claim.article]?[claim.address] = place
            guard let picture,
                state.size(of: state.places[claim.article] ?? [:]) + picture.bytes.count <= limits.articleBytes,
                sourceBytes(sources[claim.article], state, sources) + picture.bytes.count <= limits.sourceBytes
            else { return false }
            let uid = state.pictures.first { $0.value == picture }?.key ?? PictureUID.random()
            state.pictures[uid] = picture
            state.places[claim.article]?[claim.address]?.picture = uid
            return true
        }
    }

    package func pictures(of articles: [Int64]) async throws -> [Int64: ArticlePictures] {
        withState { state, _ in
            var found: [Int64: ArticlePictures] = [:]
            for article in articles {
                for (address, place) in state.places[article] ?? [:] {
                    guard let uid = place.picture, let picture = state.pictures[uid] else { continue }
                    found[article, default: [:]][address] = ArticlePicture(
                        uid: uid, type: picture.type, size: picture.bytes.count)
                }
            }
            return found
        }
    }

    package func picture(_ uid: PictureUID) async throws -> Picture? { withState { state, _ in state.pictures[uid] } }

    package func size() async throws -> PictureSize {
        withState { state, _ in
            PictureSize(count: state.pictures.count, bytes: state.pictures.values.map(\.bytes.count).reduce(0, +))
        }
    }
}

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
