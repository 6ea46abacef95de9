import Testing
import Text

@Suite("Bytes that are compared sixteen at once")
struct ByteSearchTests {
    @Test(
        "A search finds the first matching byte from each start, and nothing after the end",
        arguments: 0..<40)
    func everyPlace(count: Int) {
        for place in 0...count {
            // If the place is after the last byte, no byte matches.
            var text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
            if place < count { text[place] = 0x1F }
            for start in 0...count {
                let found = text.withUnsafeBufferPointer { $0.firstIndex(from: start, where: { $0 .< .all(0x20) }) }
                #expect(found == (start <= place && place < count ? place : nil), "\(place), \(start)")
            }
        }
    }
}
