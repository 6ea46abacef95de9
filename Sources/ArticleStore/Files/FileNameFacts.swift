package import Text

/// The facts about an article in the path of its file: `2015/2015-12-03-swift-linux-port.md` contains a date and a
/// slug.
package struct FileNameFacts {
    /// The date at the start of the name, else that of the folder: `2015-12-03-name`, `20151203 name`,
    /// `2015/12/03/name`, `2015/12/name`, `2015/name`.
    package let date: WrittenDate?
    /// The rest of the name without its extension; for a file named `index`, the name of its folder.
    package let name: String?
    /// The language before the extension, as in `name.pt-br.md`; else that of the innermost folder that is named after
    /// a language, as in `docs/fr/name.md`.
    package let language: String?
    /// Whether the file is in a folder of drafts, as in Jekyll.
    package let isDraft: Bool
    /// Whether the file is in a folder of a Jekyll site.
    package let isOfJekyll: Bool
    /// Whether the file is named `index` or, in Hugo and Zola, `_index`. Such a file may only list other pages.
    package let isIndex: Bool
    /// Whether the extension is that of MDX.
    package let isMDX: Bool

    package static let none = FileNameFacts()

    private init() {
        (date, name, language) = (nil, nil, nil)
        (isDraft, isOfJekyll, isIndex, isMDX) = (false, false, false, false)
    }

    /// Creates the facts for the records in a file. The records have names of their own.
    package init(ofRecordsIn file: FileNameFacts) {
        (name, language, isIndex, isMDX) = (nil, nil, false, false)
        (date, isDraft, isOfJekyll) = (file.date, file.isDraft, file.isOfJekyll)
    }

    /// - Parameters:
    ///   - path: the path of the file in its source.
    ///   - root: the folder of the source. Only its last part can be a language: the home directory of a user may be
    ///     `/home/de`.
    package init(path: String, in root: String = "") {
        let above = root.split(separator: "/")
        var folders = above + path.split(separator: "/")
        var name = folders.popLast() ?? ""
        isDraft = folders.contains("_drafts")
        isOfJekyll = isDraft || folders.contains("_posts")
        isMDX = name.lowercased().hasSuffix(".mdx")
        if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = name[..<dot] }
        if let dot = name.lastIndex(of: "."), dot > name.startIndex,
            LanguageTag.isCommon(name[name.index(after: dot)...])
        {
            language = String(name[name.index(after: dot)...])
            name = name[..<dot]
        } else {
            language = LanguageTag.folder(in: folders.dropFirst(max(above.count - 1, 0)))
        }
        let file = name.lowercased()
        isIndex = file == "index" || file == "_index"
        if isIndex || file == "readme", let folder = folders.popLast() { name = folder }
        let named = Self.date(before: name)
        date = named?.date ?? Self.date(of: folders)
        // If the name consists only of a date, the date is the name.
        let rest = named?.rest ?? name
        self.name = rest.isEmpty ? (name.isEmpty ? nil : String(name)) : String(rest)
    }

    /// The name as a title: `swift-linux-port` becomes "Swift linux port". A name with spaces, or a date, is used
    /// unchanged.
    package var title: String? {
        guard let name else { return nil }
        if name.contains(" ") || !name.contains(where: \.isLetter) { return name }
        let words = String(name.map { $0 == "-" || $0 == "_" ? " " : $0 })
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Returns the date at the start of a name and the rest; nil if it is not a valid day.
    private static func date(before name: Substring) -> (date: WrittenDate, rest: Substring)? {
        let bytes = name.utf8
        let digits = bytes.prefix(while: \.isDecimalDigit)
        var end = digits.endIndex
        if digits.count == 4 {
            for _ in 1...2 {
                guard end < bytes.endIndex, bytes[end] == UInt8(ascii: "-") else { return nil }
                let part = bytes[bytes.index(after: end)...].prefix(while: \.isDecimalDigit)
                guard (1...2).contains(part.count) else { return nil }
                end = part.endIndex
            }
        } else if digits.count != 8 {
            return nil
        }
        let rest = bytes[end...]
        guard rest.first.map({ "-_ ".utf8.contains($0) }) ?? true else { return nil }
        guard let date = try? DateParser.written(from: String(name[..<end])) else { return nil }
        // Numbers other than dates may have eight digits too.
        guard digits.count == 4 || (1900...2100).contains(date.day.year) else { return nil }
        return (date, Substring(rest.drop { "-_ ".utf8.contains($0) }))
    }

    /// Returns the date of the folder that contains a file.
    private static func date(of folders: [Substring]) -> WrittenDate? {
        if let last = folders.last, let date = date(before: last)?.date { return date }
        var parts: [Substring] = []
        for folder in folders.suffix(3).reversed() {
            guard folder.utf8.allSatisfy(\.isDecimalDigit), [1, 2, 4].contains(folder.utf8.count) else { break }
            parts.insert(folder, at: 0)
            guard folder.utf8.count == 4 else { continue }
            guard let date = try? DateParser.written(from: parts.joined(separator: "-")) else { return nil }
            return (1900...2100).contains(date.day.year) ? date : nil
        }
        return nil
    }
}
