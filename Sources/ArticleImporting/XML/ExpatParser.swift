import ArticleStore
import CExpat
import Text

/// The expat parser. Its events are kept until they are requested.
///
/// The XML must come from ``XMLRepairer``, which removes document types and entities. ``XMLNamespaces`` handles
/// namespaces, because expat stops at an undeclared prefix.
final class ExpatParser {
    enum Event {
        case start(XMLTag)
        case text(Range<Int>)
        case end
    }

    /// The reason why it cannot continue.
    struct Fault {
        let reason: String
        let offset: Int
    }

    private let parser: XML_Parser
    private let limits: XMLLimits
    private var namespaces: XMLNamespaces
    private var depth = 0

    /// The events in the last piece, with their offsets in it. Events that began before the piece have negative
    /// offsets.
    private(set) var events: [(event: Event, offset: Int)] = []
    /// The text to which the events refer.
    private(set) var text: [UInt8] = []
    private(set) var fault: Fault?
    /// The end of the document in the last piece.
    private(set) var end: Int?

    private var textStart = 0
    private var textOffset = 0
    private var offsetOfPiece = 0
    private var given = 0

    /// - Parameter ancestors: the elements that are already open.
    /// - Throws: `RecordError` if memory is exhausted.
    init(limits: XMLLimits, namespaces: XMLNamespaces, inside ancestors: [XMLTag] = []) throws(RecordError) {
        guard let parser = XML_ParserCreate("UTF-8") else { throw RecordError("out of memory") }
        self.parser = parser
        self.limits = limits
        self.namespaces = namespaces
        for ancestor in ancestors {
            _ = self.namespaces.open(ancestor.rawName, ancestor.attributes)
            let tag = Array("<\(ancestor.rawName)>".utf8)
            given += tag.count
            tag.withUnsafeBytes { _ = XML_Parse(parser, $0.baseAddress, Int32($0.count), 0) }
        }
        depth = ancestors.count
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in
                guard let data, let name, let attributes else { return }
                Unmanaged<ExpatParser>.fromOpaque(data).takeUnretainedValue().start(name, attributes)
            },
            { data, _ in
                guard let data else { return }
                Unmanaged<ExpatParser>.fromOpaque(data).takeUnretainedValue().endElement()
            })
        XML_SetCharacterDataHandler(parser) { data, characters, count in
            guard let data, let characters else { return }
            Unmanaged<ExpatParser>.fromOpaque(data).takeUnretainedValue().characters(characters, Int(count))
        }
    }

    deinit { XML_ParserFree(parser) }

    /// Parses the next piece. The events of the previous piece are discarded.
    ///
    /// - Parameters:
    ///   - start: the offset in `piece` to start at.
    ///   - isLast: whether it is the last piece.
    func parse(_ piece: UnsafeBufferPointer<UInt8>, from start: Int, isLast: Bool) {
        events.removeAll(keepingCapacity: true)
        text.removeAll(keepingCapacity: true)
        textStart = 0
        offsetOfPiece = start - given
        let rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: piece[start...]))
        given += rest.count
        let status = XML_Parse(parser, rest.baseAddress, Int32(rest.count), isLast ? 1 : 0)
        endText()
        if fault != nil || end != nil { return }
        if status == XML_STATUS_ERROR {
            fault = Fault(reason: words(for: XML_GetErrorCode(parser)), offset: offset)
        } else if given - Int(XML_GetCurrentByteIndex(parser)) > limits.tag {
            fault = Fault(reason: "a tag of more than \(limits.tag) bytes", offset: offset)
        }
    }

    private func words(for code: XML_Error) -> String {
        switch code {
        case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR, XML_ERROR_UNCLOSED_CDATA_SECTION:
            "the text ends inside an element"
        case XML_ERROR_TAG_MISMATCH: "an end tag does not match the open element"
        case XML_ERROR_DUPLICATE_ATTRIBUTE: "a duplicate attribute"
        case XML_ERROR_NO_MEMORY: "out of memory"
        default: "not well-formed XML"
        }
    }

    /// The current offset in the piece.
    private var offset: Int { Int(XML_GetCurrentByteIndex(parser)) + offsetOfPiece }

    private func start(_ name: UnsafePointer<CChar>, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
        guard fault == nil else { return }
        endText()
        depth += 1
        guard depth <= limits.depth else { return stop("elements nested more than \(limits.depth) deep") }
        var attributes: [XMLAttribute] = []
        var next = list
        while let name = next[0], let value = next[1] {
            guard attributes.count < limits.attributes else {
                return stop("an element with more than \(limits.attributes) attributes")
            }
            attributes.append(XMLAttribute(name: String(cString: name), value: String(cString: value)))
            next += 2
        }
        events.append((.start(namespaces.open(String(cString: name), attributes)), offset))
    }

    private func endElement() {
        guard fault == nil else { return }
        endText()
        depth -= 1
        namespaces.close()
        events.append((.end, offset))
        if depth == 0 {
            end = offset + Int(XML_GetCurrentByteCount(parser))
            XML_StopParser(parser, 0)
        }
    }

    private func characters(_ characters: UnsafePointer<CChar>, _ count: Int) {
        guard fault == nil else { return }
        if text.count == textStart { textOffset = offset }
        characters.withMemoryRebound(to: UInt8.self, capacity: count) {
            text.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
        }
    }

    private func endText() {
        guard text.count > textStart else { return }
        events.append((.text(textStart..<text.count), textOffset))
        textStart = text.count
    }

    private func stop(_ reason: String) {
        fault = Fault(reason: reason, offset: offset)
        XML_StopParser(parser, 0)
    }
}
