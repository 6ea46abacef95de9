internal import ArticleStore
internal import AuthService
internal import ReadingStore
internal import Text

extension ArticleMarking {
    /// What an article is called, and marked with.
    ///
    /// - Throws: `ScreenError.noArticle`, and what the repositories throw.
    func own(of reference: ArticleReference) async throws -> (title: String, marks: ArticleMarks) {
        let article = try await article(reference)
        return (article.title, try await marks.marks(of: [article.id], by: reader)[article.id] ?? ArticleMarks())
    }

    /// Gives an article these tags of the reader's own, and no others.
    ///
    /// - Parameters:
    ///   - version: the state that somebody has seen and changed.
    ///   - list: the tags, separated by commas.
    /// - Throws: `MarkError`, `ScreenError.noArticle` and `ScreenError.ownHasChanged` before anything is changed,
    ///   `AuthError.outOfScope`, and what the repositories throw.
    func tag(_ reference: ArticleReference, from version: String?, as list: String) async throws -> Notice {
        let names = list.split(separator: ",").filter { !$0.allSatisfy(\.isWhitespace) }
        var wanted: [OwnTag] = []
        for name in names {
            let tag = try OwnTag(String(name))
            if !wanted.contains(tag) { wanted.append(tag) }
        }
        guard wanted.count <= MarkError.mostTags else { throw MarkError.tooManyTags }
        let count = try await mark(reference) { marks in
            let had = marks.tags.map(\.value)
            if Set(wanted) == Set(had) { return [] }
            try marks.tagList.check(version)
            // What is taken away makes room for what is added.
            return had.filter { !wanted.contains($0) }.map { .tag($0, false) }
                + wanted.filter { !had.contains($0) }.map { .tag($0, true) }
        }
        if count == 0 { return .nothingChanged }
        return Notice(wanted.isEmpty ? "Took your tags away." : "Saved your tags.")
    }

    /// Puts a note on an article, in place of the one that is there.
    ///
    /// - Parameters:
    ///   - text: the note; without a word for none.
    ///   - version: the state that somebody has seen and changed.
    /// - Throws: `MarkError.noteIsTooLong`, `ScreenError.noArticle`, `ScreenError.ownHasChanged`, `AuthError.outOfScope`, and what
    ///   the repositories throw.
    func note(_ text: String, on reference: ArticleReference, from version: String?) async throws -> Notice {
        let isEmpty = text.allSatisfy(\.isWhitespace)
        let count = try await mark(reference) { marks in
            if marks.noteText.utf8.elementsEqual(isEmpty ? "".utf8 : text.utf8) { return [] }
            try marks.noteText.check(version)
            return [.note(isEmpty ? nil : text)]
        }
        if count == 0 { return .nothingChanged }
        return Notice(isEmpty ? "Removed the note." : "Saved the note.")
    }

    /// Marks an article by what it is marked with.
    ///
    /// - Returns: how many of the changes did not hold before.
    private func mark(
        _ reference: ArticleReference, as changes: (ArticleMarks) throws -> [MarkChange]
    ) async throws -> Int {
        let article = try await article(reference)
        guard session.mayBeUsed(for: .write) else { throw AuthError.outOfScope }
        return try await marks.change(article.id, by: reader, at: clock(), as: changes)
    }

    private func article(_ reference: ArticleReference) async throws -> Article {
        guard let article = try await articles.article(reference) else { throw ScreenError.noArticle(reference) }
        return article
    }
}

extension Screen {
    /// The form with the tags that a reader has given an article.
    ///
    /// - Parameters:
    ///   - title: what the article is called.
    ///   - version: the state that is changed.
    ///   - hasOtherChange: whether it was changed elsewhere after the user had begun.
    static func ownTags(_ marks: ArticleMarks, of title: String, version: String, hasOtherChange: Bool) -> Screen {
        Screen(
            title: "My tags of “\(title)”",
            content: .form(
                Form(
                    [
                        .init(
                            .tags, "Tags", value: marks.tagList,
                            hint: "Separated by commas. Nobody else sees them.")
                    ], submitLabel: "Save", version: version, hasOtherChange: hasOtherChange)))
    }

    /// The form with the note that a reader has put on an article.
    ///
    /// - Parameters:
    ///   - title: what the article is called.
    ///   - version: the state that is changed.
    ///   - hasOtherChange: whether it was changed elsewhere after the user had begun.
    static func note(_ marks: ArticleMarks, on title: String, version: String, hasOtherChange: Bool) -> Screen {
        Screen(
            title: "Note on “\(title)”",
            content: .form(
                Form(
                    [
                        .init(
                            .note, "Note", kind: .lines, value: marks.noteText,
                            hint: "Nobody else sees it. Without a word, there is none.")
                    ], submitLabel: "Save", version: version, hasOtherChange: hasOtherChange)))
    }
}

extension ArticleMarks {
    /// The tags as somebody types them.
    var tagList: String { tags.map(\.value.name).joined(separator: ", ") }

    /// The note as somebody types it.
    var noteText: String { note.value ?? "" }
}

extension Notice {
    /// What was saved was so before.
    static let nothingChanged = Notice("Nothing changed.")
}

extension String {
    /// - Throws: `ScreenError.ownHasChanged` where it is another state than somebody has seen.
    fileprivate func check(_ seen: String?) throws {
        guard seen == version else { throw ScreenError.ownHasChanged(to: self) }
    }

    /// What tells a text from every other.
    var version: String { Base64URL.encode(Array(Sodium.sha256(Array(utf8)).prefix(16))) }
}
