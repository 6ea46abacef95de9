import Text

/// The facts about posts from the other tables of Ghost, by the ID of the post.
struct GhostTables {
    /// The maximum number of bytes of rows in memory. A blog of a hundred thousand posts needs less.
    private static let sizeLimit = 128 << 20

    static let names: Set<String> = ["users", "tags", "posts_tags", "posts_authors", "posts_meta"]

    private var size = 0
    private var users: [String: String] = [:]
    private var tags: [String: String] = [:]
    private var tagsOfPosts: [String: [Link]] = [:]
    private var authorsOfPosts: [String: [Link]] = [:]
    private var metadata: [String: [JSON.Member]] = [:]

    private struct Link {
        let id: String
        /// Its position among the links of the post.
        let order: Int
    }

    /// Adds a row.
    mutating func take(_ row: [JSON.Member], of table: String, size: Int) throws(RecordError) {
        self.size += size
        guard self.size <= Self.sizeLimit else {
            throw RecordError("more than \(Self.sizeLimit) bytes of tags, authors and what belongs to the posts")
        }
        func text(_ key: String) -> String? { row.last { $0.key == key }?.value.text }
        switch table {
        case "users":
            if let id = text("id"), let name = text("name") { users[id] = name }
        case "tags":
            if let id = text("id"), let name = text("name") { tags[id] = name }
        case "posts_meta":
            if let id = text("post_id") { metadata[id] = row.filter { !["id", "post_id"].contains($0.key) } }
        default:
            let isTag = table == "posts_tags"
            guard let post = text("post_id"), let id = text(isTag ? "tag_id" : "author_id") else { return }
            let link = Link(id: id, order: text("sort_order").flatMap { Int($0) } ?? 0)
            if isTag {
                tagsOfPosts[post, default: []].append(link)
            } else {
                authorsOfPosts[post, default: []].append(link)
            }
        }
    }

    /// Returns the names of the authors of a post. Without entries in the table, the row of the post itself names the
    /// first author.
    func authors(of post: String?, first: String?) -> [String] {
        let names = Self.inOrder(post.flatMap { authorsOfPosts[$0] }).compactMap { users[$0] }
        return names.isEmpty ? first.flatMap { users[$0] }.map { [$0] } ?? [] : names
    }

    /// The names of the tags of a post.
    func tags(of post: String?) -> [String] {
        Self.inOrder(post.flatMap { tagsOfPosts[$0] }).compactMap { tags[$0] }
    }

    /// The metadata of a post.
    func metadata(of post: String?) -> [JSON.Member] { post.flatMap { metadata[$0] } ?? [] }

    private static func inOrder(_ links: [Link]?) -> [String] {
        let links = (links ?? []).enumerated()
        return links.sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element.id)
    }
}
