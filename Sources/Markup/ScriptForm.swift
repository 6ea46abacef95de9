/// Characters that stand above or below the line by themselves, as exponents and indices do.
package enum ScriptForm {
    case superscript
    case `subscript`

    /// What says so of a text that has no such characters.
    package var mark: String {
        switch self {
        case .superscript: "^"
        case .subscript: "_"
        }
    }

    /// The character that stands above or below the line; nil where Unicode has none.
    package func form(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch self {
        case .superscript: Self.superscripts[scalar]
        case .subscript: Self.subscripts[scalar]
        }
    }

    /// A text above or below the line; as it is if it has a character of which Unicode has no such form.
    func text(_ text: String) -> String {
        let forms = text.unicodeScalars.compactMap(form(of:))
        return forms.count == text.unicodeScalars.count ? String(String.UnicodeScalarView(forms)) : text
    }

    private static let superscripts = table(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡ")

    private static let subscripts = table(
        "0123456789+-−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ")

    private static func table(_ plain: String, _ forms: String) -> [Unicode.Scalar: Unicode.Scalar] {
        Dictionary(zip(plain.unicodeScalars, forms.unicodeScalars)) { first, _ in first }
    }
}
