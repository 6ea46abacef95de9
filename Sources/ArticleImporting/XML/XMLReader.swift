import ArticleStore
import Text

/// Reads XML tag by tag, and single elements as a whole, however large the document is.
///
/// ``next()`` walks through the elements around the interesting ones. ``element(_:)`` reads an interesting element as a
/// whole and holds it in memory; ``skip()`` skips an element:
///
///     let xml = try XMLReader(bytes, limits: XMLLimits(element: 1 << 20), vocabularies: [:])
///     while let step = try xml.next() {
///         guard case .start(let tag) = step, tag.name == "item" else { continue }
///         let item = try xml.element(tag)
///     }
///
/// If XML has an error that ``XMLRepairer`` cannot repair, `RecordError` contains the line. The data before the error
/// is valid, and ``resume(before:)`` can continue at the next element with a name.
final class XMLReader {
    enum Step {
        case start(XMLTag)
        case end
    }

    private let bytes: ByteReader
    private let limits: XMLLimits
    private let namespaces: XMLNamespaces
    private var repairer = XMLRepairer()
    private var parser: ExpatParser
    private var isLast = false
    /// The number of events that were already returned.
    private var readEvents = 0
    /// The number of invalid bytes in the piece that were already reported, and the last of them in the document.
    private var invalidCount = 0
    private var lastInvalid = (position: -1, line: 0)
    /// The position of the piece in the repaired document.
    private var position = 0
    /// The open elements that are not read as a whole.
    private var open: [XMLTag] = []
    /// The name of the first element as it is written.
    private var rootName: String?
    /// The number of bytes before the first element; nil after it has begun.
    private var prologue: Int? = 0
    /// The position in the piece up to which lines were counted.
    private var counted = 0
    private var lineAtCounted = 1
    private var lineOfPiece = 1
    /// The byte offset, in the current piece, of an error that cannot be repaired.
    private var fault: Int?

    /// The line on which the last tag or the last complete element begins.
    private(set) var line = 1
    /// The line of the first invalid UTF-8 in the last element. The text contains U+FFFD in place of the invalid bytes.
    private(set) var invalidLine: Int?

    /// - Parameters:
    ///   - bytes: the document in UTF-8, without a byte order mark.
    ///   - limits: the limits beyond which the document is rejected.
    ///   - vocabularies: the usual prefix of each known namespace; empty for names without a prefix.
    init(_ bytes: ByteReader, limits: XMLLimits, vocabularies: [String: String]) throws(RecordError) {
        self.bytes = bytes
        self.limits = limits
        namespaces = XMLNamespaces(vocabularies)
        parser = try ExpatParser(limits: limits, namespaces: namespaces)
    }

    /// The number of open elements at the current position.
    var depth: Int { open.count }

    /// Reads the next tag. Text between elements is skipped.
    ///
    /// If the document ends and another feed begins after it, that feed is read too. Other text there is skipped.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `RecordError`, after which the end follows unless ``resume(before:)`` continues; the errors of
    ///   reading.
    func next() throws -> Step? {
        while let (event, offset) = try nextEvent() {
            switch event {
            case .text: continue
            case .start(let tag):
                if rootName == nil { rootName = tag.rawName }
                open.append(tag)
                prologue = nil
                line = line(at: offset)
                // If the tag arrived in two pieces, its invalid bytes may have been reported with the first.
                invalidLine = lastInvalid.position >= position + offset ? lastInvalid.line : nil
                return .start(tag)
            case .end:
                _ = open.popLast()
                return .end
            }
        }
        return nil
    }

    /// Reads the whole element whose start tag ``next()`` returned last.
    ///
    /// - Parameter next: the written name of an element that cannot occur inside, or not directly inside if it has the
    ///   same name. If one begins there, the end tag of this element is missing, and the element ends there.
    /// - Throws: `RecordError` if the element is over the limit, after which ``next()`` continues behind it;
    ///   otherwise like ``next()``.
    func element(_ tag: XMLTag, before next: String? = nil) throws -> XMLElement {
        let first = line
        var building: [XMLElement] = [XMLElement(tag)]
        var size = tag.size
        var text: [UInt8] = []
        func endText() {
            guard !text.isEmpty else { return }
            building[building.count - 1].content.append(.text(String(decoding: text, as: UTF8.self)))
            text.removeAll(keepingCapacity: true)
        }
        var depth = 1
        _ = open.popLast()
        while let (event, offset) = try nextEvent() {
            switch event {
            case .text(let range):
                size += range.count
                if size <= limits.element { text.append(contentsOf: parser.text[range]) }
            case .start(let inner):
                if inner.rawName == next, depth == 1 || tag.rawName != next, !isEmptyTag(at: offset) {
                    fault = offset - 1
                    _ = try resume(before: inner.rawName)
                    guard size <= limits.element else { throw tooLarge(first) }
                    endText()
                    return building.reversed().reduce(nil) { inside, element in
                        var element = element
                        if let inside { element.content.append(.element(inside)) }
                        return element
                    } ?? XMLElement(tag)
                }
                depth += 1
                size += inner.size
                guard size <= limits.element else { break }
                endText()
                building.append(XMLElement(inner))
            case .end:
                depth -= 1
                if depth == 0 {
                    guard size <= limits.element else { throw tooLarge(first) }
                    endText()
                    return building[0]
                }
                guard size <= limits.element else { break }
                endText()
                let element = building.removeLast()
                building[building.count - 1].content.append(.element(element))
            }
            if size > limits.element { (building, text) = ([], []) }
        }
        throw RecordError(line: first, "the text ends inside the element that begins here")
    }

    private func tooLarge(_ line: Int) -> RecordError {
        RecordError(line: line, "an element is larger than \(limits.element) bytes")
    }

    /// Whether the tag at a position in the piece is self-closing. It may be so by mistake.
    private func isEmptyTag(at offset: Int) -> Bool {
        let tag = repairer.output[max(0, offset)...].prefix { $0 != UInt8(ascii: ">") }
        return tag.last == UInt8(ascii: "/")
    }

    /// Skips the rest of the element whose start tag ``next()`` returned last.
    ///
    /// - Throws: like ``next()``.
    func skip() throws {
        let depth = open.count
        while open.count >= depth, try next() != nil {}
    }

    /// Continues after an error at the next start tag with this written name. The elements that were open around the
    /// error stay open.
    ///
    /// - Returns: false at the end of the document.
    /// - Throws: the errors of reading.
    func resume(before rawName: String) throws -> Bool {
        guard let fault else { return true }
        let name = Array("<\(rawName)".utf8)
        var start = max(0, fault + 1)
        while true {
            if let found = Self.start(of: name, in: repairer.output, from: start) {
                self.fault = nil
                parser = try ExpatParser(limits: limits, namespaces: namespaces, inside: open)
                parse(from: found)
                return true
            }
            guard !isLast else { return false }
            start = 0
            try parsePiece()
        }
    }

    private static func start(of tag: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + tag.count < text.count {
            guard let found = text[index...].firstIndex(of: tag[0]), found + tag.count < text.count else { return nil }
            let next = text[found + tag.count]
            if next <= 0x20 || next == UInt8(ascii: ">") || next == UInt8(ascii: "/"),
                text[found..<found + tag.count].elementsEqual(tag)
            {
                return found
            }
            index = found + 1
        }
        return nil
    }

    // MARK: - Pieces

    private func nextEvent() throws -> (ExpatParser.Event, offset: Int)? {
        guard fault == nil else { return nil }
        while readEvents == parser.events.count {
            if let fault = parser.fault {
                recordInvalid(before: fault.offset)
                self.fault = fault.offset
                throw RecordError(line: line(at: fault.offset), fault.reason)
            }
            recordInvalid(before: parser.end ?? .max)
            if let end = parser.end {
                // Read another document that follows, and skip anything else.
                guard let next = try startOfDocument(from: end) else { return nil }
                parser = try ExpatParser(limits: limits, namespaces: namespaces)
                parse(from: next)
                continue
            }
            guard !isLast else { return nil }
            guard prologue ?? 0 <= limits.prologue else {
                fault = 0
                throw RecordError(line: 1, "there is no element in the first \(limits.prologue) bytes")
            }
            try parsePiece()
            parse(from: 0)
        }
        let event = parser.events[readEvents]
        readEvents += 1
        recordInvalid(before: event.offset)
        return event
    }

    private func startOfDocument(from start: Int) throws -> Int? {
        var start = start
        while true {
            if let found = repairer.output[start...].firstIndex(where: { $0 > 0x20 }) {
                return isDocument(repairer.output[found...]) ? found : nil
            }
            guard !isLast else { return nil }
            start = 0
            try parsePiece()
        }
    }

    /// Whether another document begins here: with the same first element, or as a feed. Other text was added by a
    /// cache, a proxy, or a script of the site.
    private func isDocument(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "<") else { return false }
        let bytes = text.dropFirst().prefix(64).prefix {
            $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        let name = String(decoding: bytes, as: UTF8.self)
        return name == rootName || ["rss", "rdf:rdf", "feed", "entry", "opml"].contains(name.lowercased())
    }

    /// Repairs the bytes that are available.
    private func parsePiece() throws {
        lineOfPiece = line(at: repairer.output.count)
        position += repairer.output.count
        counted = 0
        invalidCount = 0
        while true {
            let isLast = isLast
            let count = bytes.withBytes { bytes in
                repairer.repair(UnsafeBufferPointer(rebasing: bytes.prefix(Self.piece)), isLast: isLast)
            }
            bytes.drop(count)
            if let prologue { self.prologue = prologue + count }
            if count > 0 || isLast { return }
            self.isLast = try !bytes.fill()
        }
    }

    private func parse(from start: Int) {
        readEvents = 0
        repairer.output.withUnsafeBufferPointer { parser.parse($0, from: start, isLast: isLast) }
    }

    private static let piece = 1 << 16

    // MARK: - Lines

    /// Returns the line of a position in the piece.
    private func line(at offset: Int) -> Int {
        let offset = min(max(0, offset), repairer.output.count)
        // Positions increase, except when another document follows.
        if offset < counted { (counted, lineAtCounted) = (0, lineOfPiece) }
        lineAtCounted += repairer.output[counted..<offset].lineCount
        counted = offset
        return lineAtCounted
    }

    private func recordInvalid(before offset: Int) {
        while invalidCount < repairer.invalid.count, repairer.invalid[invalidCount] < offset {
            lastInvalid = (position + repairer.invalid[invalidCount], line(at: repairer.invalid[invalidCount]))
            if invalidLine == nil { invalidLine = lastInvalid.line }
            invalidCount += 1
        }
    }
}

extension XMLElement {
    fileprivate init(_ tag: XMLTag) {
        self.init(name: tag.name, attributes: tag.attributes)
    }
}

extension XMLTag {
    /// The approximate memory size in bytes.
    fileprivate var size: Int {
        attributes.reduce(64 + name.utf8.count) { $0 + 32 + $1.name.utf8.count + $1.value.utf8.count }
    }
}

/// The limits beyond which XML is rejected.
struct XMLLimits: Sendable {
    /// The maximum nesting depth. Real documents stay below fifty.
    var depth = 256
    /// The maximum number of attributes of an element.
    var attributes = 1000
    /// The maximum number of bytes of a tag, including its attributes.
    var tag = 1 << 20
    /// The approximate maximum number of bytes before the first element.
    var prologue = 1 << 20
    /// The maximum number of bytes of text, names, and attributes of an element that is held in memory.
    var element: Int
}
