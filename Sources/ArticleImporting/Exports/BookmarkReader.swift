import ArticleStore
import Text

/// Reads lists of links in HTML: bookmark files, which browsers have exported since Netscape, and the list that Pocket
/// exports.
///
/// Both omit end tags, so only the order of the tags shows what belongs together: the text after a link describes it,
/// up to the next link. The folders of a link become tags, except the standard folders of browsers.
struct BookmarkReader: RecordSource {
    /// Folders below this depth are not tags.
    private static let depthLimit = 64

    private var tags: HTMLTagReader
    private let limit: Int
    private var references = HTMLReferences()
    /// The number of open lists, and the open folders, each with the number of lists that were open around it.
    private var depth = 0
    private var folders: [(name: String, depth: Int)] = []
    /// The name of the next folder.
    private var nextFolder: String?
    /// Whether the folder whose name is being read is a standard folder of the browser.
    private var isOwnFolder = false
    /// Whether a link or an error was found.
    private var hasFound = false
    /// The current section of a Pocket list.
    private var section: String?
    /// The current link, and the one before it.
    private var link: Link?
    private var ended: Link?
    private(set) var skippedRecords = 0

    private struct Link {
        var link: SavedLink
        let line: Int
        /// The error in the link; nil if it is valid.
        var fault: String?
        var marks = SavedMarks()

        /// Adds the data of another link with the same address.
        mutating func merge(_ other: Link) {
            link.tags += other.link.tags.filter { !link.tags.contains($0) }
            if link.note?.isEmpty ?? true { link.note = other.link.note }
            marks.merge(other.marks)
        }
    }

    /// - Parameter limit: the maximum number of bytes of a tag or a text.
    init(_ bytes: ByteReader, limit: Int) throws {
        tags = try HTMLTagReader(bytes, limit: limit)
        self.limit = limit
    }

    private enum Place { case elsewhere, title, folder, section, note }
    private var place = Place.elsewhere
    private var text = ""

    /// The links that were read, one per address, in the order in which they are returned.
    private var links: [Link] = []
    private var places: [String: Int] = [:]
    private var merged: ArraySlice<Link> = []
    /// The error that ended the file.
    private var failure: (any Error)?
    private var isAtEnd = false
    /// The maximum number of links that are kept to find others with the same address.
    private static let window = 100_000

    /// Returns the next link, with the tags of all its folders.
    mutating func next() throws -> SourceRecord? {
        while true {
            while let link = merged.popFirst() {
                if let members = link.link.members { return SourceRecord(members, line: link.line, marks: link.marks) }
                skippedRecords += 1
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
            if let link = try removeEndedLink() { return link }
        }
        if let link, place == .title {
            self.link = nil
            throw RecordError(line: link.line, "the text ends inside the link that begins here")
        }
        endLink()
        if let link = try removeEndedLink() { return link }
        guard hasFound else {
            hasFound = true
            throw RecordError("the file has no links")
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
            link?.fault = "a link and its description are larger than \(limit) bytes"
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
            // The folder before it does not have a list.
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

    /// Handles the end of a folder's name.
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
            // Small images, encoded as text.
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

    /// Completes the current link.
    private mutating func endLink() {
        guard var link else { return }
        self.link = nil
        switch place {
        case .note: link.link.note = references.decoded(text)
        // The element was not closed.
        case .title: link.link.title = references.decoded(text)
        default: break
        }
        if place == .note || place == .title { place = .elsewhere }
        ended = link
    }

    private mutating func removeEndedLink() throws(RecordError) -> Link? {
        guard let link = ended else { return nil }
        ended = nil
        if let fault = link.fault { throw RecordError(line: link.line, fault) }
        return link
    }

    /// The attributes of the browser's own folders: the toolbar and unsorted bookmarks.
    private static let ownFolders: Set<String> = ["personal_toolbar_folder", "unfiled_bookmarks_folder"]
    private static let sections: Set<String> = ["unread", "read archive"]

    /// Whether a text begins as a list of links: with Netscape's document type, with Pocket's title, or with a
    /// definition list of links with dates, which some exporters write without both.
    static func isBookmarks(_ start: UnsafeBufferPointer<UInt8>) -> Bool {
        let head = start.prefix(4096).trimmed
        guard head.first == UInt8(ascii: "<") else { return false }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        if text.contains(bytesOf: "<!doctype netscape-bookmark-file") { return true }
        if text.contains(bytesOf: "<title>pocket export</title>") { return true }
        return text.contains(bytesOf: "<dl") && text.contains(bytesOf: "<dt") && text.contains(bytesOf: "add_date=")
    }
}
