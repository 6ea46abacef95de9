internal import CSQLite
internal import Platform

/// Finds the tables of a damaged database if the pages of its schema are lost.
///
/// The program knows the schema. Remaining pages of the schema contain the roots of some tables. The rows of other
/// tables are recognized by their shape.
struct LostTables {
    private let path: String
    private let shapes: [TableShape]
    private let pageCount: Int
    private let descriptor: Int32

    /// The place of a table.
    struct Found: Equatable {
        /// The pages at which it begins. A long table whose root is lost has several.
        fileprivate(set) var roots: [Int]
        /// Whether the location comes from the schema, so that the table is complete.
        let isTold: Bool
    }

    /// Returns the name of a part of a table in the new schema.
    static func name(_ table: String, part: Int) -> String { part == 0 ? table : "\(table) (part \(part))" }

    /// Writes a schema with which SQLite finds the tables of `shapes` into the file at `path`, which must not have a
    /// log or a journal.
    ///
    /// - Parameter free: the free pages.
    /// - Returns: the location of each table that was found, by name.
    /// - Throws: `DatabaseError`.
    static func find(_ shapes: [TableShape], in path: String, free: Set<Int>) throws -> [String: Found] {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw DatabaseError.cannotOpen(path: path, reason: SystemError.current.description)
        }
        let lost = LostTables(
            path: path, shapes: shapes, pageCount: DatabaseFile(path: path).size / RawPage.size, descriptor: descriptor)
        let found: [String: Found]
        do {
            defer { close(descriptor) }
            found = lost.found(free: free)
            guard !found.isEmpty else { return [:] }
            try lost.eraseSchema()
        }
        try lost.write(found)
        return found
    }

    private func page(_ number: Int) -> RawPage? {
        guard 1...max(1, pageCount) ~= number else { return nil }
        var bytes = [UInt8](repeating: 0, count: RawPage.size)
        guard pread(descriptor, &bytes, bytes.count, off_t(number - 1) * off_t(RawPage.size)) == bytes.count else {
            return nil
        }
        return RawPage(bytes, number: number)
    }

    private func found(free: Set<Int>) -> [String: Found] {
        var rootsInSchema: [String: [Int]] = [:]
        var below: Set<Int> = []
        var trees: [Int] = []
        for number in 1...max(1, pageCount) where !free.contains(number) {
            guard let page = page(number) else { continue }
            below.formUnion(page.children)
            if number > 1 { trees.append(number) }
            guard page.kind == .leafOfTable else { continue }
            for (name, root) in page.records?.compactMap(Self.table) ?? [] {
                rootsInSchema[name, default: []].append(root)
            }
        }
        var found: [String: Found] = [:]
        for shape in shapes {
            // An outdated page of the schema may refer to a root that now belongs to another tree.
            let root = rootsInSchema[shape.name]?.first { isBegin(of: shape, at: $0) && !below.contains($0) }
            if let root { found[shape.name] = Found(roots: [root], isTold: true) }
        }
        let known = Set(found.values.flatMap(\.roots))
        // The keys of an index look like rows without a row ID.
        let numbered = shapes.filter { $0.hasRowID && found[$0.name] == nil }
        for number in trees where !below.contains(number) && !known.contains(number) {
            guard let leaf = firstLeaf(below: number), leaf.records?.isEmpty == false else { continue }
            let fitting = numbered.filter { $0.fits(leaf) }
            // Skip a page that fits several tables.
            guard let shape = fitting.first, fitting.count == 1 else { continue }
            found[shape.name, default: Found(roots: [], isTold: false)].roots.append(number)
        }
        return found
    }

    /// Returns the table that a row of the schema describes.
    private static func table(_ record: RawRecord) -> (name: String, root: Int)? {
        guard record.classes.count == 5, record.text(0) == "table", let name = record.text(1),
            let root = record.integer(3)
        else { return nil }
        return (name, root)
    }

    private func isBegin(of shape: TableShape, at root: Int) -> Bool {
        guard root > 1, let page = page(root), page.kind.isOfTable == shape.hasRowID else { return false }
        // The pages below may be lost.
        return firstLeaf(below: root).map(shape.fits) ?? true
    }

    private func firstLeaf(below root: Int) -> RawPage? {
        var number = root
        // A deeper b-tree means that the page is not a b-tree.
        for _ in 0..<20 {
            guard let page = page(number) else { return nil }
            guard let child = page.children.first(where: { self.page($0)?.kind.isOfTable == page.kind.isOfTable })
            else {
                return page.kind.isLeaf ? page : nil
            }
            number = child
        }
        return nil
    }

    /// Makes the first page an empty schema.
    private func eraseSchema() throws {
        var header: [UInt8] = [RawPage.Kind.leafOfTable.rawValue, 0, 0, 0, 0, 0, 0, 0]
        // The cell area begins at the end of the page.
        header[5] = UInt8(RawPage.size >> 8)
        guard pwrite(descriptor, header, header.count, 100) == header.count else {
            throw DatabaseError.cannotOpen(path: path, reason: SystemError.current.description)
        }
    }

    private func write(_ found: [String: Found]) throws {
        let connection = try Connection(alone: path, access: .readWrite, isDurable: false)
        guard csqlite_db_config(connection.handle, SQLITE_DBCONFIG_DEFENSIVE, 0) == SQLITE_OK else {
            throw DatabaseError.from(SQLITE_MISUSE, on: nil, path: path)
        }
        try connection.execute("PRAGMA writable_schema=ON; BEGIN")
        for shape in shapes {
            for (part, root) in (found[shape.name]?.roots ?? []).enumerated() {
                let name = Self.name(shape.name, part: part)
                _ = try connection.run(
                    "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('table', ?1, ?1, ?2, ?3)",
                    [.text(name), Value(root), .text(shape.sql(named: name))])
            }
        }
        try connection.execute("COMMIT")
    }
}
