/// Superscript and subscript characters of Unicode.
package enum ScriptForm {
    case superscript
    case `subscript`

    /// The sign for a text that cannot be written with these characters.
    package var mark: String {
        switch self {
        case .superscript: "^"
        case .subscript: "_"
        }
    }

    /// Returns the superscript or subscript character; nil if Unicode does not have it.
    package func form(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch self {
        case .superscript: Self.superscripts[scalar]
        case .subscript: Self.subscripts[scalar]
        }
    }

    /// Returns the text in superscript or subscript characters, or unchanged if one of them does not exist.
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
