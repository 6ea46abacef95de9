import CMarkdown

/// Makes the digest of a Markdown text from md4c's events. It builds the tree only up to the first paragraph, and
/// counts words.
final class DigestStream: MarkdownReceiver {
    var source = UnsafeBufferPointer<UInt8>(start: nil, count: 0) {
        didSet { tree?.source = source }
    }
    /// Whether the events are not enough and the tree is required: for HTML in the text, and for syntax that md4c does
    /// not support.
    private(set) var needsTree: Bool
    var isDone: Bool { needsTree }

    /// The same limits as those of the tree. Otherwise the digest of a text could depend on whether the tree is used.
    private var limits = MarkdownLimits()
    private var tree: MarkdownTree?
    private var paragraph: String?
    private var count = WordCount()
    /// The number of open blocks, without the document.
    private var depth = 0
    private var isHeading = false

    init(_ rewritten: MarkdownSource?, needsParagraph: Bool) {
        needsTree = rewritten?.hasExtensions == true
        if needsParagraph { tree = MarkdownTree(rewritten) }
    }

    var digest: MarkupDigest { MarkupDigest(paragraph: paragraph ?? "", words: count.words) }

    func enter(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        if type == MD_BLOCK_HTML { needsTree = true }
        guard !needsTree, limits.allows(type, detail) else { return -1 }
        count.endWord()
        if type != MD_BLOCK_DOC { depth += 1 }
        if type == MD_BLOCK_H { isHeading = true }
        return tree?.enter(type, detail) ?? 0
    }

    func leave(_ type: MD_BLOCKTYPE) -> Int32 {
        count.endWord()
        isHeading = false
        guard type != MD_BLOCK_DOC else { return 0 }
        depth -= 1
        guard let tree else { return 0 }
        let status = tree.leave(type)
        if depth == 0, let opening = tree.takeOpening() {
            paragraph = opening
            self.tree = nil
        }
        return status
    }

    func enter(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        guard limits.allows(type, detail) else { return -1 }
        return tree?.enter(type, detail) ?? 0
    }

    func leave(_ type: MD_SPANTYPE) -> Int32 { tree?.leave(type) ?? 0 }

    func add(_ type: MD_TEXTTYPE, _ text: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard limits.allows(bytes: text.count) else { return -1 }
        switch type {
        case MD_TEXT_HTML: needsTree = true
        case MD_TEXT_BR, MD_TEXT_SOFTBR: count.endWord()
        case MD_TEXT_ENTITY:
            let reference = String(decoding: text, as: UTF8.self)
            count.add(CharacterReference.decoded(reference) ?? reference)
        default:
            count.add(text)
            // It may be the name of the heading (`{#name}`), which is not part of the text.
            if isHeading, text.last == UInt8(ascii: "}") { needsTree = true }
        }
        return needsTree ? -1 : tree?.add(type, text) ?? 0
    }
}
