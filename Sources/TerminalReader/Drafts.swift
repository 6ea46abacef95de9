import FlowCoordinators
import Navigation

/// The texts of forms that were closed before they were saved. Their author gets them back with the form.
struct Drafts {
    private var drafts: [String: Draft] = [:]
    /// The user who typed the drafts; nil if nobody was signed in.
    private var author: String?
    /// The user who is signed in.
    private var user: String?

    /// The text of a form.
    struct Draft {
        /// The title of the form.
        let title: String
        let form: FormState
        /// Whether the library does not have the text.
        let isUnsaved: Bool
    }

    /// The title of a form with a draft that its author would lose; nil if there is none.
    var title: String? { author == nil ? nil : drafts.values.first(where: \.isUnsaved)?.title }

    /// Keeps the text of a form that is removed, by the identity of its entry.
    ///
    /// - Parameter isSaved: whether the library has the text that was sent.
    mutating func keep(_ level: ReaderSession.Level, isSaved: Bool) {
        // The login of an author whose session has ended is not a text of theirs.
        guard let draft = level.draft, !(isSaved && level.isSent), author == nil || user != nil else { return }
        drafts[level.entry.id] = draft
    }

    /// Returns the text for a form that opens, and removes it.
    mutating func remove(for entry: StackEntry) -> FormState? { drafts.removeValue(forKey: entry.id)?.form }

    /// Removes the drafts if another user signs in, or after a log-out. They stay if the session has ended.
    mutating func update(for state: NavigationState<AppRoute>) {
        let isOther = state.subject.map { $0 != author } ?? (user != nil && state.deferred == nil)
        if isOther { (drafts, author) = ([:], state.subject) }
        user = state.subject
    }
}

extension ReaderSession.Level {
    /// The text that the user has typed into the form; nil if there is none.
    var draft: Drafts.Draft? {
        guard let view, let form = view.draft(state) else { return nil }
        return Drafts.Draft(title: view.screen.title, form: form, isUnsaved: view.isChanged(state))
    }

    /// Whether the text of the form was sent, and did not change since.
    var isSent: Bool { view?.isSent(state) ?? false }
}
