import CMarkdown

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
