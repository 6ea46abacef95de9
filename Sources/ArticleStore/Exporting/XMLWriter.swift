/// Writes XML, a line an element.
struct XMLWriter {
    private(set) var text = ""

    /// Writes what is XML already.
    mutating func raw(_ xml: String) { text += xml }

    /// Writes an element that holds text.
    mutating func element(_ name: String, _ content: String, _ values: [(name: String, value: String)] = []) {
        open(name, values, end: ">")
        text += XMLText.escaped(content)
        text += "</\(name)>\n"
    }

    /// Writes an element that holds nothing.
    mutating func empty(_ name: String, _ values: [(name: String, value: String)]) { open(name, values, end: "/>\n") }

    mutating func open(_ name: String, _ values: [(name: String, value: String)] = []) {
        open(name, values, end: ">\n")
    }

    mutating func close(_ name: String) { text += "</\(name)>\n" }

    private mutating func open(_ name: String, _ values: [(name: String, value: String)], end: String) {
        text += "<" + name
        for (name, value) in values { text += " \(name)=\"\(XMLText.escaped(value, isValue: true))\"" }
        text += end
    }
}
