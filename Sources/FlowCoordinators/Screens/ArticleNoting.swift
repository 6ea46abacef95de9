internal import ArticleStore
internal import ReadingStore

extension ArticleMarking {
    /// What an article is marked with.
    ///
    /// - Throws: `ScreenError.noArticle`, and what the repositories throw.
    func marks(of reference: ArticleReference) async throws -> ArticleMarks {
        let article = try await article(reference)
        return try await marks.marks(of: [article.id], by: reader)[article.id] ?? ArticleMarks()
    }

    /// Gives an article these tags of the reader's own, and no others.
    ///
    /// - Parameter list: the tags, separated by commas.
    /// - Throws: `MarkError` and `ScreenError.noArticle` before anything is changed, `AuthError.outOfScope`, and what the
    ///   repositories throw.
    func tag(_ reference: ArticleReference, as list: String) async throws -> Notice {
        let names = list.split(separator: ",").filter { !$0.allSatisfy(\.isWhitespace) }
        var wanted: [OwnTag] = []
        for name in names {
            let tag = try OwnTag(String(name))
            if !wanted.contains(tag) { wanted.append(tag) }
        }
        guard wanted.count <= MarkError.mostTags else { throw MarkError.tooManyTags }
        let had = try await marks(of: reference).tags.map(\.value)
        // What is taken away makes room for what is added.
        let changes =
            had.filter { !wanted.contains($0) }.map { MarkChange.tag($0, false) }
            + wanted.filter { !had.contains($0) }.map { MarkChange.tag($0, true) }
        for change in changes { _ = try await mark([reference], change) }
        if changes.isEmpty { return Notice("Nothing changed.") }
        return Notice(wanted.isEmpty ? "Took your tags away." : "Saved your tags.")
    }

    /// Puts a note on an article, in place of the one that is there.
    ///
    /// - Parameter text: the note; without a word for none.
    /// - Throws: `MarkError.noteIsTooLong`, `ScreenError.noArticle`, `AuthError.outOfScope`, and what the repositories throw.
    func note(_ text: String, on reference: ArticleReference) async throws -> Notice {
        let isEmpty = text.allSatisfy(\.isWhitespace)
        let outcome = try await mark([reference], .note(isEmpty ? nil : text))
        if outcome.count == 0 { return Notice("Nothing changed.") }
        return Notice(isEmpty ? "Removed the note." : "Saved the note.")
    }

    private func article(_ reference: ArticleReference) async throws -> Article {
        guard let article = try await articles.article(reference) else { throw ScreenError.noArticle(reference) }
        return article
    }
}

extension Screen {
    /// The form with the tags that a reader has given an article.
    static func ownTags(_ marks: ArticleMarks) -> Screen {
        Screen(
            title: "My tags",
            content: .form(
                Form(
                    [
                        .init(
                            .tags, "Tags", value: marks.tags.map(\.value.name).joined(separator: ", "),
                            hint: "Separated by commas. Nobody else sees them.")
                    ], submitLabel: "Save")))
    }

    /// The form with the note that a reader has put on an article.
    static func note(_ marks: ArticleMarks) -> Screen {
        Screen(
            title: "Note",
            content: .form(
                Form(
                    [
                        .init(
                            .note, "Note", kind: .lines, value: marks.note.value ?? "",
                            hint: "Nobody else sees it. Without a word, there is none.")
                    ], submitLabel: "Save")))
    }
}
