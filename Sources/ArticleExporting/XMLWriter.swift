import ArticleStore
import Text

/// Writes XML, and HTML as far as the syntax is the same. Texts are always escaped.
struct XMLWriter {
    /// An attribute. It is omitted if the value is nil.
    typealias Attribute = (name: StaticString, value: String?)

    private(set) var text = ""

    /// Writes a text that is already markup.
    mutating func raw(_ markup: String) { text += markup }

    /// Writes the text content of an element.
    mutating func write(_ content: String) { text += XMLText.escaped(content) }

    /// Writes an element with text as its content.
    mutating func element(_ name: StaticString, _ attributes: [Attribute] = [], _ content: String, end: String = "\n") {
        tag(name, attributes, end: ">")
        write(content)
        text += "</\(name)>" + end
    }

    /// Writes an empty element that is a void element in HTML too.
    mutating func empty(_ name: StaticString, _ attributes: [Attribute]) { tag(name, attributes, end: "/>\n") }

    mutating func open(_ name: StaticString, _ attributes: [Attribute] = [], end: String = "\n") {
        tag(name, attributes, end: ">" + end)
    }

    mutating func close(_ name: StaticString) { text += "</\(name)>\n" }

    private mutating func tag(_ name: StaticString, _ attributes: [Attribute], end: String) {
        text += "<\(name)"
        for (name, value) in attributes {
            if let value { text += " \(name)=\"\(XMLText.escaped(value, isValue: true))\"" }
        }
        text += end
    }
}
