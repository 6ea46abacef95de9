import CMarkdown
import Text

/// Reads Markdown with md4c.
enum MarkdownReader {
    /// The maximum size of a document. The time of md4c is not linear for every input.
    static let sizeLimit = 4 * 1024 * 1024

    /// Returns the document of a text; nil if it is too large or malicious.
    static func document(of markdown: String) -> MarkupDocument? {
        var markdown = markdown
        return markdown.withUTF8 { document(of: $0) }
    }

    private static func document(of bytes: UnsafeBufferPointer<UInt8>) -> MarkupDocument? {
        guard let events = parse(bytes, { MarkdownTree($0) }) else { return nil }
        return events.document
    }

    /// Sends the events of a text to a receiver; nil if the text is too large or malicious.
    static func parse<Receiver: MarkdownReceiver>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ receiver: (MarkdownSource?) -> Receiver
    ) -> Receiver? {
        guard bytes.count <= sizeLimit else { return nil }
        let rewritten = MarkdownSource(bytes)
        guard let source = rewritten?.text ?? divided(bytes) else { return parse(bytes, rewritten, receiver) }
        return source.withUnsafeBufferPointer { bytes in
            guard let divided = rewritten == nil ? nil : divided(bytes) else {
                return parse(bytes, rewritten, receiver)
            }
            return divided.withUnsafeBufferPointer { parse($0, rewritten, receiver) }
        }
    }

    private static func parse<Receiver: MarkdownReceiver>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ source: MarkdownSource?, _ receiver: (MarkdownSource?) -> Receiver
    ) -> Receiver? {
        // The cost of a table is its rows times its columns, even if most cells are missing. If the receiver gives up
        // because of this, read the document again without tables.
        for dialect in [cmarkdown_dialect, cmarkdown_dialect & ~UInt32(MD_FLAG_TABLES)] {
            let receiver = receiver(source)
            if parse(bytes, to: receiver, dialect: dialect) { return receiver }
        }
        return nil
    }

    /// The maximum number of lines with a bracket in a paragraph before it is split. For each of them, md4c scans all
    /// lines of the paragraph.
    private static let bracketLinesLimit = 2000

    /// Returns the text with paragraphs split that have too many lines with a bracket; nil if there are none.
    private static func divided(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes.count > 2 * bracketLinesLimit else { return nil }
        var count = 0
        bytes.forEach(UInt8(ascii: "[")) { _ in
            count += 1
            return count < bracketLinesLimit
        }
        guard count == bracketLinesLimit else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / bracketLinesLimit)
        var brackets = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty { brackets = 0 }
            if line.contains(UInt8(ascii: "[")) { brackets += 1 }
            result.append(contentsOf: line)
            result.append(UInt8(ascii: "\n"))
            if brackets == bracketLinesLimit {
                result.append(UInt8(ascii: "\n"))
                brackets = 0
            }
        }
        result.removeLast()
        return result
    }

    private static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, to receiver: any MarkdownReceiver, dialect: UInt32
    ) -> Bool {
        var parser = MD_PARSER()
        parser.flags = dialect
        parser.enter_block = { type, detail, receiver in ReceiverBox.of(receiver)?.enter(type, detail) ?? -1 }
        parser.leave_block = { type, _, receiver in ReceiverBox.of(receiver)?.leave(type) ?? -1 }
        parser.enter_span = { type, detail, receiver in ReceiverBox.of(receiver)?.enter(type, detail) ?? -1 }
        parser.leave_span = { type, _, receiver in ReceiverBox.of(receiver)?.leave(type) ?? -1 }
        parser.text = { type, text, size, receiver in
            ReceiverBox.of(receiver)?.add(
                type, UnsafeRawBufferPointer(start: text, count: Int(size)).assumingMemoryBound(to: UInt8.self)) ?? -1
        }
        receiver.source = bytes
        defer { receiver.source = UnsafeBufferPointer(start: nil, count: 0) }
        let status = bytes.withMemoryRebound(to: CChar.self) { characters in
            let box = ReceiverBox(receiver)
            return withExtendedLifetime(box) {
                cmarkdown_parse(
                    characters.baseAddress, MD_SIZE(characters.count), &parser, Unmanaged.passUnretained(box).toOpaque()
                )
            }
        }
        return status == 0 || receiver.isDone
    }
}

/// Receives md4c's events. A method returns 0 to continue or -1 to stop.
protocol MarkdownReceiver: AnyObject {
    /// The text that is being read.
    var source: UnsafeBufferPointer<UInt8> { get set }
    /// Whether it stopped because it has enough information.
    var isDone: Bool { get }

    func enter(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32
    func leave(_ type: MD_BLOCKTYPE) -> Int32
    func enter(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32
    func leave(_ type: MD_SPANTYPE) -> Int32
    func add(_ type: MD_TEXTTYPE, _ text: UnsafeBufferPointer<UInt8>) -> Int32
}

/// A box for a receiver, which md4c can hold as a C pointer.
private final class ReceiverBox {
    let receiver: any MarkdownReceiver

    init(_ receiver: any MarkdownReceiver) { self.receiver = receiver }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> (any MarkdownReceiver)? {
        pointer.map { Unmanaged<ReceiverBox>.fromOpaque($0).takeUnretainedValue().receiver }
    }
}

/// The work that a document of Markdown may still cause. A receiver that exceeds it gives up.
struct MarkdownLimits {
    /// Bytes that may still be copied: references let a small document repeat a large link without end.
    private var bytes = 16 * 1024 * 1024
    /// Cells of tables that may still be made.
    private var cells = 1_000_000

    /// Returns whether so many more bytes may be copied.
    mutating func allows(bytes count: Int) -> Bool {
        bytes -= count
        return bytes > 0
    }

    /// Returns whether a block may begin.
    mutating func allows(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) -> Bool {
        switch type {
        case MD_BLOCK_TABLE:
            return (detail?.load(as: MD_BLOCK_TABLE_DETAIL.self).col_count ?? 0) <= TreeBuilder.columnLimit
        case MD_BLOCK_TH, MD_BLOCK_TD:
            cells -= 1
            return cells > 0
        default: return true
        }
    }

    /// Returns whether a span may begin, whose address is copied.
    mutating func allows(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) -> Bool {
        let size: MD_SIZE
        switch type {
        case MD_SPAN_IMG: size = detail?.load(as: MD_SPAN_IMG_DETAIL.self).src.size ?? 0
        case MD_SPAN_A: size = detail?.load(as: MD_SPAN_A_DETAIL.self).href.size ?? 0
        default: size = 0
        }
        return allows(bytes: Int(size))
    }
}
