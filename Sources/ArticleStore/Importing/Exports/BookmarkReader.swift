import Text

/// Reads lists of links in HTML: bookmark files, which browsers have exported since Netscape, and the list that Pocket exports.
///
/// Both leave their elements open, and nothing but the order of the tags tells what belongs together: a link is described by
/// what follows it up to the next one. The folders that it is in are tags, but for those that every browser has of its own.
struct BookmarkReader: RecordSource {
    /// Folders below this depth are not tags.
    private static let depthLimit = 64

    private var tags: HTMLTagReader
    private let limit: Int
    private var references = HTMLReferences()
    /// How many lists are open, and the folders among them, each with how many were open outside.
    private var depth = 0
    private var folders: [(name: String, depth: Int)] = []
    /// The name of the folder that opens next.
    private var nextFolder: String?
    /// Whether the folder whose name is being read is the browser's own.
    private var isOwnFolder = false
    /// Whether there was a link, or an error.
    private var hasFound = false
    /// The list of Pocket's that it stands in.
    private var section: String?
    /// The link that is being read, and the one that was read before it.
    private var link: Link?
    private var ended: Link?
    private(set) var passedOver = 0

    private struct Link {
        var link: SavedLink
        let line: Int
        /// The fault; nil if there is none.
        var fault: String?
        var marks = SavedMarks()

        /// Adds what another link of the same address says.
        mutating func merge(_ other: Link) {
            link.tags += other.link.tags.filter { !link.tags.contains($0) }
            if link.note?.isEmpty ?? true { link.note = other.link.note }
            marks.merge(other.marks)
        }
    }

    /// - Parameter limit: how many bytes a tag or a text may have.
    init(_ bytes: ByteReader, limit: Int) throws {
        tags = try HTMLTagReader(bytes, limit: limit)
        self.limit = limit
    }

    private enum Place { case elsewhere, title, folder, section, note }
    private var place = Place.elsewhere
    private var text = ""

    /// The links that were read, one for each address, in whose order they are given.
    private var links: [Link] = []
    private var places: [String: Int] = [:]
    private var merged: ArraySlice<Link> = []
    /// The error that ended the file.
    private var failure: (any Error)?
    private var isAtEnd = false
    /// How many links are kept at most, to find the others of the same address.
    private static let window = 100_000

    /// Returns the next link, with the tags of all folders that it is in.
    mutating func next() throws -> SourceRecord? {
        while true {
            while let link = merged.popFirst() {
                if let members = link.link.members { return SourceRecord(members, line: link.line, marks: link.marks) }
                passedOver += 1
            }
            if let failure { throw failure }
            if isAtEnd { return nil }
            try merge()
        }
    }

    private mutating func merge() throws(RecordError) {
        while !isAtEnd, links.count < Self.window {
            do {
                guard let link = try nextLink() else {
                    isAtEnd = true
                    break
                }
                if let place = places[link.link.address] {
                    links[place].merge(link)
                } else {
                    places[link.link.address] = links.count
                    links.append(link)
                }
            } catch let error as RecordError {
                throw error
            } catch {
                (failure, isAtEnd) = (error, true)
            }
        }
        (merged, links, places) = (links[...], [], [:])
    }

    private mutating func nextLink() throws -> Link? {
        while let token = try nextToken() {
            switch token {
            case .text(let bytes):
                guard place != .elsewhere else { continue }
                if let text = String(validating: bytes, as: UTF8.self) {
                    add(text)
                } else {
                    link?.fault = "bytes that are not valid UTF-8"
                }
            case .start(let name, let attributes, let line): start(name, attributes, line)
            case .end(let name): end(name)
            }
            if let link = try takeEnded() { return link }
        }
        if let link, place == .title {
            self.link = nil
            throw RecordError(line: link.line, "the text ends inside the link that begins here")
        }
        endLink()
        if let link = try takeEnded() { return link }
        guard hasFound else {
            hasFound = true
            throw RecordError("no link in it")
        }
        return nil
    }

    private mutating func nextToken() throws -> HTMLTagReader.Token? {
        do {
            return try tags.next()
        } catch {
            hasFound = true
            throw error
        }
    }

    private mutating func add(_ text: String) {
        if self.text.utf8.count + text.utf8.count <= limit {
            self.text += text
        } else {
            link?.fault = "a link and its description of more than \(limit) bytes"
        }
    }

    private mutating func start(_ name: String, _ attributes: [HTMLAttribute], _ line: Int) {
        switch name {
        case "a":
            endLink()
            begin(attributes, line)
        case "h3":
            endLink()
            (place, text) = (.folder, "")
            isOwnFolder = attributes.contains { Self.ownFolders.contains($0.name) }
        case "h1":
            endLink()
            (place, text) = (.section, "")
        case "dl":
            endLink()
            endFolder()
            if let name = nextFolder, folders.count < Self.depthLimit { folders.append((name, depth)) }
            nextFolder = nil
            depth += 1
        case "dt":
            endLink()
            // The folder before it lacks a list.
            nextFolder = nil
        case "li", "ul": endLink()
        case "dd" where link != nil: (place, text) = (.note, "")
        case "br" where place != .elsewhere: add("\n")
        default: break
        }
    }

    private mutating func end(_ name: String) {
        switch (name, place) {
        case ("a", .title):
            link?.link.title = references.decoded(text)
            place = .elsewhere
        case ("h3", .folder): endFolder()
        case ("h1", .section):
            section = text.trimmed.lowercased()
            place = .elsewhere
        case ("dl", _):
            endLink()
            depth = max(0, depth - 1)
            if folders.last?.depth == depth { folders.removeLast() }
        case ("ul", _), ("html", _): endLink()
        default: break
        }
    }

    /// The name of the folder that was begun is whole.
    private mutating func endFolder() {
        guard place == .folder else { return }
        nextFolder = isOwnFolder ? nil : references.decoded(text)
        place = .elsewhere
    }

    private mutating func begin(_ attributes: [HTMLAttribute], _ line: Int) {
        hasFound = true
        var link = Link(link: SavedLink(address: ""), line: line)
        var tags: [String] = []
        for attribute in attributes {
            guard let value = String(validating: attribute.value, as: UTF8.self) else {
                link.fault = "bytes that are not valid UTF-8"
                continue
            }
            let text = references.decoded(value)
            switch attribute.name {
            case "href": link.link.address = text
            case "add_date", "time_added": link.link.saved = text
            case "last_modified": link.link.changed = text
            case "tags": tags = text.split(separator: ",").map(String.init)
            case "description": link.link.note = text
            // Pictures of a few pixels, as text.
            case "icon", "icon_uri": break
            default:
                link.link.extra.add(attribute.name, text)
                guard JSON.string(text).isYes else { continue }
                switch attribute.name {
                case "toread", "unread": link.marks.isForLater = true
                case "read", "archived": link.marks.isRead = true
                case "starred", "favorite", "favourite", "important", "data-important": link.marks.isStarred = true
                default: break
                }
            }
        }
        link.link.tags = folders.map(\.name) + tags
        if depth == 0, let section, Self.sections.contains(section) {
            link.link.extra.add("list", section)
            link.marks.isRead = section == "read archive"
        }
        self.link = link
        (place, text) = (.title, "")
    }

    /// The link that was begun has all that belongs to it.
    private mutating func endLink() {
        guard var link else { return }
        self.link = nil
        switch place {
        case .note: link.link.note = references.decoded(text)
        // It was not closed.
        case .title: link.link.title = references.decoded(text)
        default: break
        }
        if place == .note || place == .title { place = .elsewhere }
        ended = link
    }

    private mutating func takeEnded() throws(RecordError) -> Link? {
        guard let link = ended else { return nil }
        ended = nil
        if let fault = link.fault { throw RecordError(line: link.line, fault) }
        return link
    }

    /// The attributes of folders that browsers make themselves: the toolbar and the unsorted bookmarks.
    private static let ownFolders: Set<String> = ["personal_toolbar_folder", "unfiled_bookmarks_folder"]
    private static let sections: Set<String> = ["unread", "read archive"]

    /// Whether a text begins as such a list does: by Netscape's document type, by Pocket's title, or, as some exporters leave
    /// those out, with a definition list of links that were added at a date.
    static func isBookmarks(_ start: UnsafeBufferPointer<UInt8>) -> Bool {
        let head = start.prefix(4096).trimmed
        guard head.first == UInt8(ascii: "<") else { return false }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        if text.contains(bytesOf: "<!doctype netscape-bookmark-file") { return true }
        if text.contains(bytesOf: "<title>pocket export</title>") { return true }
        return text.contains(bytesOf: "<dl") && text.contains(bytesOf: "<dt") && text.contains(bytesOf: "add_date=")
    }
}
