/// Reads XML tag by tag, and single elements as a whole, however large the document is.
///
/// What holds the elements that matter is walked through by ``next()``. An element that is wanted is read by
/// ``element(_:)``, which holds it in memory, or passed over by ``skip()``:
///
///     let xml = try XMLReader(bytes, limits: XMLLimits(element: 1 << 20), vocabularies: [:])
///     while let step = try xml.next() {
///         guard case .start(let tag) = step, tag.name == "item" else { continue }
///         let item = try xml.element(tag)
///     }
///
/// Where XML is wrong in a way that ``XMLMender`` does not mend, ``RecordError`` says the line; what was read up to
/// there is right, and ``resume(before:)`` can go on at the next element of a name.
final class XMLReader {
    enum Step {
        case start(XMLTag)
        case end
    }

    private let bytes: ByteReader
    private let limits: XMLLimits
    private let namespaces: XMLNamespaces
    private var mender = XMLMender()
    private var parser: ExpatParser
    private var isLast = false
    /// How much of what the parser found was taken.
    private var taken = 0
    /// How many of the wrong bytes in the piece were told, and the last of them in the document.
    private var told = 0
    private var lastInvalid = (position: -1, line: 0)
    /// Where the mended piece begins in the mended document.
    private var position = 0
    /// Elements that are open and not read as a whole.
    private var open: [XMLTag] = []
    /// The name of the first element, as it is written.
    private var rootName: String?
    /// How many bytes there were before the first element; nil when it has begun.
    private var prologue: Int? = 0
    /// Where the lines are counted up to, in the mended piece.
    private var counted = 0
    private var lineAtCounted = 1
    private var lineOfPiece = 1
    /// Where in the mended piece something is wrong that cannot be read over.
    private var fault: Int?

    /// The line that the last tag, or the element that was read last, begins in.
    private(set) var line = 1
    /// The line of the first bytes that are no UTF-8 in the element that was read last; U+FFFD stands in it for them.
    private(set) var invalidLine: Int?

    /// - Parameters:
    ///   - bytes: the document in UTF-8, without a byte order mark.
    ///   - vocabularies: the customary prefix of each namespace that is known, an empty one for names that are to have none.
    init(_ bytes: ByteReader, limits: XMLLimits, vocabularies: [String: String]) throws(RecordError) {
        self.bytes = bytes
        self.limits = limits
        namespaces = XMLNamespaces(vocabularies)
        parser = try ExpatParser(limits: limits, namespaces: namespaces)
    }

    /// How many elements are open around where it stands.
    var depth: Int { open.count }

    /// The next tag. Text between elements is passed over.
    ///
    /// After the end of a document comes the next feed that begins there, if one does; anything else there is passed over.
    /// - Returns: nil at the end.
    /// - Throws: ``RecordError``, after which comes the end unless ``resume(before:)`` says otherwise; and what reading
    ///   throws.
    func next() throws -> Step? {
        while let (event, offset) = try nextEvent() {
            switch event {
            case .text: continue
            case .start(let tag):
                if rootName == nil { rootName = tag.rawName }
                open.append(tag)
                prologue = nil
                line = line(at: offset)
                // A tag that came in two pieces may have been looked at already.
                invalidLine = lastInvalid.position >= position + offset ? lastInvalid.line : nil
                return .start(tag)
            case .end:
                _ = open.popLast()
                return .end
            }
        }
        return nil
    }

    /// The whole of the element whose start ``next()`` gave last.
    ///
    /// - Parameter next: the name, as it is written, of an element that cannot be inside, for an element of the same name
    ///   not directly. Where one begins there, the end of this element is missing: it ends here.
    /// - Throws: ``RecordError`` for one over the limit, after which ``next()`` goes on behind it; otherwise as ``next()``.
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
        RecordError(line: line, "an element of more than \(limits.element) bytes")
    }

    /// Whether the tag at a place in the mended piece is that of an element without an inside, as one by mistake is.
    private func isEmptyTag(at offset: Int) -> Bool {
        let tag = mender.output[max(0, offset)...].prefix { $0 != UInt8(ascii: ">") }
        return tag.last == UInt8(ascii: "/")
    }

    /// Passes over the rest of the element whose start ``next()`` gave last.
    /// - Throws: as ``next()``.
    func skip() throws {
        let depth = open.count
        while open.count >= depth, try next() != nil {}
    }

    /// Goes on behind what was wrong, at the next start of an element that is written like this; the elements that were open
    /// around the place are taken to be open still.
    ///
    /// - Returns: false where there is none, so that the end has come.
    /// - Throws: what reading throws.
    func resume(before rawName: String) throws -> Bool {
        guard let fault else { return true }
        let name = Array("<\(rawName)".utf8)
        var start = max(0, fault + 1)
        while true {
            if let found = Self.start(of: name, in: mender.output, from: start) {
                self.fault = nil
                parser = try ExpatParser(limits: limits, namespaces: namespaces, inside: open)
                parse(from: found)
                return true
            }
            guard !isLast else { return false }
            start = 0
            try takePiece()
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
        while taken == parser.events.count {
            if let fault = parser.fault {
                tellInvalid(before: fault.offset)
                self.fault = fault.offset
                throw RecordError(line: line(at: fault.offset), fault.reason)
            }
            tellInvalid(before: parser.end ?? .max)
            if let end = parser.end {
                // Of what follows, another document is read, and anything else passed over.
                guard let next = try startOfDocument(from: end) else { return nil }
                parser = try ExpatParser(limits: limits, namespaces: namespaces)
                parse(from: next)
                continue
            }
            guard !isLast else { return nil }
            guard prologue ?? 0 <= limits.prologue else {
                fault = 0
                throw RecordError(line: 1, "no element begins in the first \(limits.prologue) bytes")
            }
            try takePiece()
            parse(from: 0)
        }
        let event = parser.events[taken]
        taken += 1
        tellInvalid(before: event.offset)
        return event
    }

    private func startOfDocument(from start: Int) throws -> Int? {
        var start = start
        while true {
            if let found = mender.output[start...].firstIndex(where: { $0 > 0x20 }) {
                return isDocument(mender.output[found...]) ? found : nil
            }
            guard !isLast else { return nil }
            start = 0
            try takePiece()
        }
    }

    /// Whether another document begins here, as the first one or as a feed does. Anything else was added by a cache, a proxy, or
    /// a script of the site.
    private func isDocument(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "<") else { return false }
        let bytes = text.dropFirst().prefix(64).prefix {
            $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        let name = String(decoding: bytes, as: UTF8.self)
        return name == rootName || ["rss", "rdf:rdf", "feed", "entry", "opml"].contains(name.lowercased())
    }

    /// Mends as much as there is to look at.
    private func takePiece() throws {
        lineOfPiece = line(at: mender.output.count)
        position += mender.output.count
        counted = 0
        told = 0
        while true {
            let isLast = isLast
            let count = bytes.withBytes { bytes in
                mender.take(UnsafeBufferPointer(rebasing: bytes.prefix(Self.piece)), isLast: isLast)
            }
            bytes.drop(count)
            if let prologue { self.prologue = prologue + count }
            if count > 0 || isLast { return }
            self.isLast = try !bytes.fill()
        }
    }

    private func parse(from start: Int) {
        taken = 0
        mender.output.withUnsafeBufferPointer { parser.parse($0, from: start, isLast: isLast) }
    }

    private static let piece = 1 << 16

    // MARK: - Lines

    /// The number of the line that a place in the mended piece is in.
    private func line(at offset: Int) -> Int {
        let offset = min(max(0, offset), mender.output.count)
        // Places come in their order, but for a document that follows another.
        if offset < counted { (counted, lineAtCounted) = (0, lineOfPiece) }
        lineAtCounted += mender.output[counted..<offset].lineCount
        counted = offset
        return lineAtCounted
    }

    private func tellInvalid(before offset: Int) {
        while told < mender.invalid.count, mender.invalid[told] < offset {
            lastInvalid = (position + mender.invalid[told], line(at: mender.invalid[told]))
            if invalidLine == nil { invalidLine = lastInvalid.line }
            told += 1
        }
    }
}

extension XMLElement {
    fileprivate init(_ tag: XMLTag) {
        self.init(name: tag.name, attributes: tag.attributes)
    }
}

extension XMLTag {
    /// What it costs to hold, in bytes.
    fileprivate var size: Int {
        attributes.reduce(64 + name.utf8.count) { $0 + 32 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
