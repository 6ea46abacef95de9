internal import FlowCoordinators
internal import HTTPServer

/// A form that a page has sent.
struct Submission {
    /// The action of the user.
    enum Command: Equatable {
        /// The form was filled in and sent.
        case sent
        /// The form was filled in and sent to try the answers.
        case tried
        /// The user goes back.
        case back
        /// The user left a text at this position, in thousandths.
        case left(Int)
        /// The user chose an action, possibly on a row, both by their IDs.
        case action(String, row: String?)
        /// The user chose an action, by its ID, on the articles of a list up to this number, possibly on a row.
        case listAction(String, row: String? = nil, upTo: Int64)
        /// The user chose a row.
        case row(String)

        /// The action to log out, as the account screen offers it.
        static let logOut = Command.action(Action.Purpose.logOut.rawValue, row: nil)
        /// The action to show earlier rows, as lists offer it.
        static let earlier = Command.action(Action("Earlier", .earlierRowsWanted).id, row: nil)
    }

    /// The names of fields that every form has or may have. They differ from all values of `FieldName`.
    enum Name {
        static let token = "form"
        static let screen = "screen"
        static let command = "do"
        static let isAgreed = "agreed"
        static let kept = "kept-"
    }

    /// The token that proves that the form was made for this browser.
    let formToken: String
    /// The screen with the form.
    let screen: String
    let command: Command
    /// Whether the user has confirmed the question of the action.
    let isAgreed: Bool
    /// The values of the fields.
    let answers: Answers
    /// The values of a form that the login interrupted.
    var kept: [FieldName: String]

    /// The texts that the user has written, in this form or in the one that the login interrupted.
    var texts: [(name: FieldName, text: String)] { FormValues.values(of: answers).texts + kept.texts }

    /// Nil if the request does not contain a form of this front.
    init?(_ request: HTTPRequest) {
        let (type, most) = (request.fields[.contentType]?.text ?? "", 4 * FieldName.allCases.count)
        let isMultipart = HTTPQuery.isMultipart(type)
        guard isMultipart || type.split(separator: ";").first?.lowercased() == "application/x-www-form-urlencoded",
            let query = isMultipart
                ? HTTPQuery(multipart: request.body, type: type) : HTTPQuery(form: request.body, most: most),
            query.items.count <= most
        else { return nil }
        let form = Dictionary(query.items.map { ($0.name, $0.value) }) { first, _ in first }
        guard let formToken = form[Name.token], let screen = form[Name.screen],
            let command = form[Name.command].flatMap(Command.init)
        else { return nil }
        self.formToken = formToken
        self.screen = screen
        self.command = command
        isAgreed = form[Name.isAgreed] != nil
        var answers = Answers()
        var kept: [FieldName: String] = [:]
        for field in FieldName.allCases {
            // Browsers send line breaks as two characters, except in files.
            let value = form[field.rawValue]
            answers[field] = field == .list ? value : value?.replacing("\r\n", with: "\n")
            kept[field] = form[Name.kept + field.rawValue]?.replacing("\r\n", with: "\n")
        }
        for item in query.items {
            if let bytes = item.bytes, let field = FieldName(rawValue: item.name) { answers[file: field] = bytes }
        }
        self.answers = answers
        self.kept = kept
    }
}

extension Submission.Command {
    private static let (sentText, triedText, backText, leftText) = ("send", "try", "back", "left=")
    private static let (actionMark, rowMark, numberMark): (Character, Character, Character) = ("!", "@", "#")
    /// The marks as strings, because these texts are built hundreds of times per page.
    private static let (actionSign, rowSign) = (String(actionMark), String(rowMark))

    /// Parses the value of a button; nil if it is invalid.
    init?(_ text: String) {
        if text == Self.sentText {
            self = .sent
        } else if text == Self.triedText {
            self = .tried
        } else if text == Self.backText {
            self = .back
        } else if text.hasPrefix(Self.leftText) {
            guard let place = Int(text.dropFirst(Self.leftText.count)), 0...1_000 ~= place else { return nil }
            self = .left(place)
        } else if text.first == Self.rowMark {
            self = .row(String(text.dropFirst()))
        } else if text.first == Self.actionMark {
            let list = text.dropFirst().split(separator: Self.numberMark, maxSplits: 1)
            if list.count == 2, let number = Int64(list[1]), number >= 0 {
                let parts = list[0].split(separator: Self.rowMark, maxSplits: 1)
                guard let id = parts.first else { return nil }
                self = .listAction(String(id), row: parts.count == 2 ? String(parts[1]) : nil, upTo: number)
                return
            }
            let parts = text.dropFirst().split(separator: Self.rowMark, maxSplits: 1)
            guard let id = parts.first else { return nil }
            self = .action(String(id), row: parts.count == 2 ? String(parts[1]) : nil)
        } else {
            return nil
        }
    }

    /// The value of the button.
    var text: String {
        switch self {
        case .sent: Self.sentText
        case .tried: Self.triedText
        case .back: Self.backText
        case .left(let place): "\(Self.leftText)\(place)"
        case .row(let id): Self.rowSign + id
        case .action(let id, nil): Self.actionSign + id
        case .action(let id, let row?): Self.actionSign + id + Self.rowSign + row
        case .listAction(let id, let row, let number):
            Self.action(id, row: row).text + Self.end(upTo: number)
        }
    }

    /// Returns the end of the value for an action on articles up to a number.
    static func end(upTo number: Int64) -> String { "\(numberMark)\(number)" }

    /// Whether it sends the fields of the form.
    var sendsFields: Bool { self == .sent || self == .tried }

    /// The event of the action at a place, if it can be known without the screen.
    func event(at place: AppRoute) -> AppEvent? {
        if case .action(let id, let row?) = self { place.event(ofAction: id, onRow: row) } else { nil }
    }

    /// Returns the event of the action and the question before it; nil if the screen does not offer it (any more).
    func event(on screen: Screen, answers: Answers) -> (event: AppEvent, question: String?)? {
        switch self {
        case .sent:
            guard case .form = screen.content else { return nil }
            return (.submitted(answers), nil)
        case .tried:
            guard case .form(let form) = screen.content, form.trialLabel != nil else { return nil }
            return (.tried(answers), nil)
        case .back, .left: return nil
        case .row(let id):
            guard let row = screen.row(id), let event = row.event else { return nil }
            return (event, row.confirmation)
        case .action(let id, nil):
            if let action = screen.actions.first(where: { $0.id == id }) {
                return (action.event, action.confirmation)
            }
            guard case .list(let list) = screen.content else { return nil }
            return list.moves.first { $0.id == id }.map { ($0.event, nil) }
        case .listAction(let id, let row?, let number):
            guard let action = screen.row(row)?.actions.first(where: { $0.id == id }) else { return nil }
            return (action.event(upTo: number), action.confirmation)
        case .listAction(let id, nil, let number):
            return screen.actions.first { $0.id == id }.map { ($0.event(upTo: number), $0.confirmation) }
        case .action(let id, let row?):
            guard let action = screen.row(row)?.actions.first(where: { $0.id == id }) else { return nil }
            return (action.event, action.confirmation)
        }
    }
}

extension Screen {
    fileprivate func row(_ id: String) -> List.Row? {
        guard case .list(let list) = content else { return nil }
        return list.rows.enumerated().first { $0.element.webID(at: $0.offset) == id }?.element
    }
}

extension List.Row {
    /// Returns the ID of the row in a form.
    func webID(at index: Int) -> String { id ?? "\(index)" }
}

extension List {
    /// The actions that load the rows beyond those that are shown.
    var moves: [Action] {
        (earlier.map { [Action("First", $0.last), Action("Earlier", $0.some)] } ?? [])
            + (more.map { [Action("More", $0.some), Action("Last", $0.last)] } ?? [])
    }
}
