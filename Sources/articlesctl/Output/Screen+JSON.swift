import ArticleStore
import AuthService
import FlowCoordinators
import LibraryServices
import Text

extension Screen {
    /// The model of the screen as JSON, or else its rows; nil for a form or a menu, which have neither.
    var json: JSON? {
        if let json = model.json { return json }
        guard case .list(let list) = content else { return nil }
        return ["title": .string(title), "rows": .array(list.rows.map { JSON($0.cells.map(\.text)) })]
    }
}

extension Model {
    /// Nil without data.
    fileprivate var json: JSON? {
        switch self {
        case .none: nil
        case .articles(let page, let total, let marks):
            .object(
                [JSON.Member("articles", .array(page.summaries.map { JSON(listed: $0, marks: marks) }))]
                    + page.members(total: total))
        case .article(let article, let marks): JSON.encoded(ArticleJSON.utf8(article)).adding(marks)
        case .account(let session): JSON(account: session)
        case .tokens(let tokens): ["tokens": .array(tokens.map { JSON(apiToken: $0) })]
        case .secondFactor(let factor): ["secondFactor": JSON(secondFactor: factor)]
        case .recoveryCodes(let codes): ["recoveryCodes": .array(codes.map { .string($0.text) })]
        case .audit(let records): ["events": .array(records.map { JSON(event: $0.event, id: $0.id) })]
        case .users(let users): ["users": .array(users.map { JSON(user: $0) })]
        case .sessions(let sessions, let current):
            ["sessions": .array(sessions.map { JSON(session: $0, isCurrent: $0.id == current?.id) })]
        }
    }
}
