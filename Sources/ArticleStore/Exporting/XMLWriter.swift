/// Writes XML, and HTML where that is the same: what it is given is text, and becomes no markup.
struct XMLWriter {
    /// An attribute; without a value, none.
    typealias Attribute = (name: StaticString, value: String?)

    private(set) var text = ""

    /// Writes what is markup already.
    mutating func raw(_ markup: String) { text += markup }

    /// Writes what is between tags.
    mutating func write(_ content: String) { text += XMLText.escaped(content) }

    /// Writes an element that holds text.
    mutating func element(_ name: StaticString, _ attributes: [Attribute] = [], _ content: String, end: String = "\n") {
        tag(name, attributes, end: ">")
        write(content)
        text += "</\(name)>" + end
    }

    /// Writes an element that holds nothing, and that HTML knows as such.
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
