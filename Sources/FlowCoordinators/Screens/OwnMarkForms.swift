internal import ArticleStore
internal import AuthService

extension ArticleMarker {
    /// Replaces the user's own tags of an article by those of a form.
    ///
    /// - Parameters:
    ///   - version: the version that the user saw.
    ///   - list: the tags, separated by commas.
    /// - Throws: `MarkError`, `ArticleError.noArticle`, or `ScreenError.editConflict` before anything is changed;
    ///   `AuthError.outOfScope`; the errors of the repositories.
    func saveTags(_ list: String, of reference: ArticleReference, from version: String?) async throws -> Notice {
        let names = list.split(separator: ",").filter { !$0.allSatisfy(\.isWhitespace) }
        let wanted = try names.map { try TagName(String($0)) }
        guard Set(wanted).count <= MarkError.mostTags else { throw MarkError.tooManyTags }
        let article = try await article(reference)
        let count = try await change(article.id) { marks in
            let changes = marks.changes(replacingTagsBy: wanted)
            if !changes.isEmpty { try marks.tagList.check(version) }
            return changes
        }
        if count == 0 { return .nothingChanged }
        return Notice(wanted.isEmpty ? "Removed your tags." : "Saved your tags.")
    }

    /// Replaces the user's note on an article by that of a form.
    ///
    /// - Parameters:
    ///   - text: the note; blank text removes the note.
    ///   - version: the version that the user saw.
    /// - Throws: `MarkError.noteIsTooLong`, `ArticleError.noArticle`, `ScreenError.editConflict`,
    ///   `AuthError.outOfScope`, and the errors of the repositories.
    func saveNote(_ text: String, on reference: ArticleReference, from version: String?) async throws -> Notice {
        let isEmpty = text.allSatisfy(\.isWhitespace)
        let article = try await article(reference)
        let count = try await change(article.id) { marks in
            if marks.noteText.utf8.elementsEqual(isEmpty ? "".utf8 : text.utf8) { return [] }
            try marks.noteText.check(version)
            return [.note(isEmpty ? nil : text)]
        }
        if count == 0 { return .nothingChanged }
        return Notice(isEmpty ? "Removed the note." : "Saved the note.")
    }
}

extension Screen {
    /// The form with the user's own tags of an article.
    ///
    /// - Parameters:
    ///   - title: the title of the article.
    ///   - version: the version of the tags.
    ///   - hasEditConflict: whether the tags were changed elsewhere after the user had begun.
    static func ownTags(_ marks: ArticleMarks, of title: String, version: String, hasEditConflict: Bool) -> Screen {
        Screen(
            title: "My tags for “\(title)”",
            content: .form(
                Form(
                    [
                        .init(
                            .tags, "Tags", value: marks.tagList,
                            hint: "Separated by commas. Only you see them.")
                    ], submitLabel: "Save", version: version, hasEditConflict: hasEditConflict)))
    }

    /// The form with the user's note on an article.
    ///
    /// - Parameters:
    ///   - title: the title of the article.
    ///   - version: the version of the note.
    ///   - hasEditConflict: whether the note was changed elsewhere after the user had begun.
    static func note(_ marks: ArticleMarks, on title: String, version: String, hasEditConflict: Bool) -> Screen {
        Screen(
            title: "Note on “\(title)”",
            content: .form(
                Form(
                    [
                        .init(
                            .note, "Note", kind: .lines, value: marks.noteText,
                            hint: "Only you see it. To remove the note, delete its text.")
                    ], submitLabel: "Save", version: version, hasEditConflict: hasEditConflict)))
    }
}

extension ArticleMarks {
    /// The tags as the form shows them, separated by commas.
    var tagList: String { tags.map(\.value.name).joined(separator: ", ") }

    /// The note as the form shows it; empty if there is none.
    var noteText: String { note.value ?? "" }
}

extension Notice {
    /// The message if the saved values equal the old ones.
    static let nothingChanged = Notice("Nothing changed.")
}

extension String {
    /// - Throws: `ScreenError.editConflict` if the version of this text differs from the one that the user saw.
    func check(_ seen: String?) throws {
        guard seen == version else { throw ScreenError.editConflict(to: self) }
    }

    /// A hash that identifies the text.
    var version: String { Sodium.digest(Array(utf8)) }
}
