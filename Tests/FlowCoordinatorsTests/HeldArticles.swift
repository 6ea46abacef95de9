import ArticleStore
import StoreEngines
import Synchronization
import TestSupport

/// Pauses searches and changes of a library until its latch is open, and lists in reverse until another is. It lets all
/// other calls pass.
final class HeldArticles: Sendable {
    let latch = Latch()
    /// Opening it continues lists in reverse order.
    let backwards = Latch()
    /// Open as soon as a call pauses at the first latch.
    let reached = Latch()
    /// The number of requested pages.
    var pages: Int { asked.withLock { $0 } }
    private let asked = Mutex(0)

    /// Returns the library whose calls are held.
    func library(_ library: any ArticleRepository & ArticleLog) -> WatchedArticles {
        WatchedArticles(library) { call in
            switch call {
            case .list(let query):
                self.asked.withLock { $0 += 1 }
                if query.text != nil { await self.hold() }
            case .listBefore:
                self.reached.open()
                await self.backwards.wait()
            case .write: await self.hold()
            case .other: break
            }
        }
    }

    private func hold() async {
        reached.open()
        await latch.wait()
    }
}
