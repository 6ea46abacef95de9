import CPlatform
import Foundation
import Testing

/// The end of a pipe from which a text can be read. Programs that other tests start do not inherit the pipe: as long as one
/// of them had the other end, the pipe would not end.
final class FilledPipe: Sendable {
    let descriptor: Int32

    init(_ text: String) throws {
        var ends: [Int32] = [-1, -1]
        try #require(platform_pipe(&ends) == 0)
        descriptor = ends[0]
        let bytes = Array(text.utf8)
        #expect(write(ends[1], bytes, bytes.count) == bytes.count)
        close(ends[1])
    }

    deinit { close(descriptor) }
}
