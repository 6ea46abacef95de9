public import ArticleStore

/// Why a screen cannot be shown.
public enum ScreenError: Error, Hashable, Sendable {
    /// No article answers to this.
    case noArticle(ArticleReference)
    /// No articles answer to these.
    case noArticles([ArticleReference])
    /// This link leads out of the library.
    case elsewhere(String)
    /// Who is signed in has no open session of this id.
    case noSession(String)
    /// Who is signed in has no API token of this id or name.
    case noToken(String)
    /// There is no user of this number.
    case noUser(Int64)
    /// Nothing of a reader's own is kept with the articles here.
    case noMarks
    /// What is kept of a reader's own is another than they have seen: this.
    case ownHasChanged(to: String)
    /// Nobody has an address of feeds here.
    case noFeeds
    /// A coordinator was asked for a screen of another flow.
    case misplaced(AppRoute)
}

extension ScreenError: CustomStringConvertible {
    /// The fault, in words for a person.
    public var description: String {
        switch self {
        case .noArticle(let reference): "there is no article “\(reference)”"
        case .noArticles(let references):
            "there are no articles \(references.prefix(5).map { "“\($0)”" }.joined(separator: ", "))"
                + (references.count > 5 ? " and \(references.count - 5) more" : "")
        case .elsewhere(let link): "“\(link)” leads out of the library"
        case .noSession(let id): "there is no session “\(id)”"
        case .noToken(let name): "there is no token “\(name)”"
        case .noUser(let id): "there is no user \(id) any more"
        case .noMarks: "no tags and notes of readers are kept here"
        case .ownHasChanged(let text):
            "it was changed meanwhile, in another window or on another device, "
                + (text.isEmpty ? "and nothing is left" : "to “\(text.prefix(500))\(text.count > 500 ? "…" : "")”")
                + "; send yours again to put it in the place of that"
        case .noFeeds: "no addresses of feeds are kept here"
        case .misplaced(let route): "\(route.path) is not a place of the flow that was asked to show it"
        }
    }
}

/// What is wrong with a form as a whole.
public enum FormError: Error, Hashable, Sendable {
    /// The password and its confirmation are not the same.
    case passwordsDiffer
    /// No file and no folder was given to import.
    case noPath
    /// An import is going on already.
    case isImporting
    /// A text holds characters that a form cannot show, so that they would be lost.
    case holdsControls
    /// What was chosen is none of the choices.
    case noChoice
    /// An article has no title.
    case noTitle
    /// An article has no text.
    case noText
    /// This is not a date.
    case notADate(String)
    /// This is not an address on the web.
    case notAnAddress(String)
    /// This is not the tag of a language.
    case notALanguage(String)
}

extension FormError: CustomStringConvertible {
    /// The fault, in words for a person.
    public var description: String {
        switch self {
        case .passwordsDiffer: "the two passwords are not the same"
        case .noPath: "say which file or folder to import"
        case .holdsControls:
            "it holds control characters, which a form cannot show; change it with articlesctl edit"
        case .noChoice: "choose one of what is offered"
        case .noTitle: "write a title"
        case .noText: "write a text"
        case .notADate(let text): "“\(text)” is not a date; write it like 2015-12-03, or 2015-12-03 18:30 +02:00"
        case .notAnAddress(let text): "“\(text)” is not an http or https address"
        case .notALanguage(let text): "“\(text)” is not the tag of a language; write it like en, or pt-BR"
        case .isImporting: "an import is going on; go back to stop it"
        }
    }
}
