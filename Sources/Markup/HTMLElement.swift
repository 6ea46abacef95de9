import CGumbo

/// The meaning of an HTML element for the tree.
enum HTMLElement: UInt8 {
    /// Only its content counts.
    case transparent
    /// Its content is hidden.
    case hidden
    /// It begins and ends on lines of its own.
    case block
    case paragraph
    case heading
    case preformatted
    case quote
    case bulletList, numberedList, item
    case definitionList, term, definition
    case table, tableRow, tableCell, tableCaption
    case thematicBreak
    case summary
    case lineBreak
    case image
    case link
    case media
    case emphasis, strong, strikethrough, superscript, `subscript`, code
    case quotation
    case rubyText
    case input
    case head
    case formula
    /// Text with elements for browsers that do not support a feature.
    case fallback

    /// Whether it is a block, which cannot be in a formula or a line of text.
    var isBlock: Bool {
        switch self {
        case .block, .paragraph, .heading, .preformatted, .quote, .bulletList, .numberedList, .definitionList, .table:
            true
        default: false
        }
    }

    /// Whether it stands for itself, without readable content.
    var isPlace: Bool {
        switch self {
        case .thematicBreak, .image, .media, .formula: true
        default: false
        }
    }

    /// The meaning of each tag of gumbo, by its number.
    static let ofTag: [HTMLElement] = {
        var meaning = [HTMLElement](repeating: .transparent, count: Int(GUMBO_TAG_LAST.rawValue) + 1)
        for (element, tags) in meanings {
            for tag in tags { meaning[Int(tag.rawValue)] = element }
        }
        return meaning
    }()

    private static let meanings: [(HTMLElement, [GumboTag])] = [
        (
            .hidden,
            [
                GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TEMPLATE, GUMBO_TAG_TITLE,
                GUMBO_TAG_BASE,
                GUMBO_TAG_LINK, GUMBO_TAG_META, GUMBO_TAG_SVG, GUMBO_TAG_SELECT, GUMBO_TAG_TEXTAREA, GUMBO_TAG_BUTTON,
                GUMBO_TAG_DATALIST, GUMBO_TAG_OPTION, GUMBO_TAG_OPTGROUP, GUMBO_TAG_RP,
                GUMBO_TAG_NOEMBED,
                GUMBO_TAG_COL, GUMBO_TAG_COLGROUP, GUMBO_TAG_AREA, GUMBO_TAG_PARAM, GUMBO_TAG_SOURCE, GUMBO_TAG_TRACK,
                GUMBO_TAG_KEYGEN, GUMBO_TAG_ANNOTATION_XML,
            ]
        ),
        (
            .block,
            [
                GUMBO_TAG_HTML, GUMBO_TAG_BODY, GUMBO_TAG_DIV, GUMBO_TAG_ADDRESS, GUMBO_TAG_ARTICLE, GUMBO_TAG_ASIDE,
                GUMBO_TAG_CENTER, GUMBO_TAG_DETAILS, GUMBO_TAG_FIELDSET, GUMBO_TAG_LEGEND, GUMBO_TAG_FIGCAPTION,
                GUMBO_TAG_FIGURE, GUMBO_TAG_FOOTER, GUMBO_TAG_FORM, GUMBO_TAG_HEADER, GUMBO_TAG_HGROUP, GUMBO_TAG_MAIN,
                GUMBO_TAG_NAV, GUMBO_TAG_SECTION,
            ]
        ),
        (.paragraph, [GUMBO_TAG_P]),
        (.heading, [GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6]),
        (.preformatted, [GUMBO_TAG_PRE, GUMBO_TAG_LISTING, GUMBO_TAG_XMP, GUMBO_TAG_PLAINTEXT]),
        (.quote, [GUMBO_TAG_BLOCKQUOTE]),
        (.bulletList, [GUMBO_TAG_UL, GUMBO_TAG_MENU, GUMBO_TAG_DIR]),
        (.numberedList, [GUMBO_TAG_OL]), (.item, [GUMBO_TAG_LI]),
        (.definitionList, [GUMBO_TAG_DL]), (.term, [GUMBO_TAG_DT]), (.definition, [GUMBO_TAG_DD]),
        (.table, [GUMBO_TAG_TABLE]), (.tableRow, [GUMBO_TAG_TR]), (.tableCell, [GUMBO_TAG_TD, GUMBO_TAG_TH]),
        (.tableCaption, [GUMBO_TAG_CAPTION]),
        (.thematicBreak, [GUMBO_TAG_HR]), (.summary, [GUMBO_TAG_SUMMARY]),
        (.lineBreak, [GUMBO_TAG_BR]), (.image, [GUMBO_TAG_IMG, GUMBO_TAG_IMAGE]), (.link, [GUMBO_TAG_A]),
        (.media, [GUMBO_TAG_VIDEO, GUMBO_TAG_AUDIO, GUMBO_TAG_IFRAME, GUMBO_TAG_EMBED, GUMBO_TAG_OBJECT]),
        (.emphasis, [GUMBO_TAG_EM, GUMBO_TAG_I, GUMBO_TAG_CITE, GUMBO_TAG_DFN, GUMBO_TAG_VAR]),
        (.strong, [GUMBO_TAG_STRONG, GUMBO_TAG_B]),
        (.strikethrough, [GUMBO_TAG_DEL, GUMBO_TAG_S, GUMBO_TAG_STRIKE]),
        (.superscript, [GUMBO_TAG_SUP]), (.subscript, [GUMBO_TAG_SUB]),
        (.code, [GUMBO_TAG_CODE, GUMBO_TAG_KBD, GUMBO_TAG_SAMP, GUMBO_TAG_TT]),
        (.quotation, [GUMBO_TAG_Q]), (.rubyText, [GUMBO_TAG_RT]), (.input, [GUMBO_TAG_INPUT]),
        (.head, [GUMBO_TAG_HEAD]), (.formula, [GUMBO_TAG_MATH]), (.fallback, [GUMBO_TAG_NOFRAMES]),
    ]
}
