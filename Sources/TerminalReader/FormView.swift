import FlowCoordinators
import Terminal
import Text

/// A form: fields, a submit button, and the actions as buttons after it.
struct FormView: ContentView {
    private let form: Form
    private let actions: [Action]
    private let notice: Notice?
    /// Whether work is in progress, such as the request of the sent form.
    private let isBusy: Bool
    private let rows: Range<Int>
    private let width: Int
    /// A QR code to the right of the fields, if there is enough space; nil without a code.
    private let code: QRCode?

    /// The minimum width of the fields to the left of a QR code.
    private static let leastWidth = 30

    init(_ form: Form, actions: [Action], notice: Notice?, isBusy: Bool, rows: Range<Int>, width: Int) {
        let code = form.handover.flatMap { QRCode($0.address) }
        let isRoom = code.map { rows.count >= $0.lines.count && width >= $0.width + Self.leastWidth } ?? false
        self.code = isRoom ? code : nil
        self.form = form
        self.actions = actions
        self.notice = notice
        self.isBusy = isBusy
        self.rows = rows
        self.width = width - (self.code?.width ?? 0)
    }

    /// A row of the form, before the visible rows are chosen.
    private struct Line {
        /// The element that gets the focus when the user clicks the row.
        var focus: Int?
        var isFocused = false
        var spans: [(text: String, style: Style)] = []
        /// The index of the choice in the list of a field.
        var choice: Int?
        /// The column of the cursor.
        var cursor: Int?
        /// Whether it is a part of the notice.
        var isNotice = false
    }

    /// The labels of the buttons: submit, try, and the actions.
    private var buttons: [String] { [form.submitLabel] + trialLabels + actions.map(\.label) }

    private var trialLabels: [String] { form.trialLabel.map { [$0] } ?? [] }

    /// The field, button, or action with the focus. Initially it is the field with the error, else the first field without
    /// a valid answer, else the last field, from which Enter sends the form; if the last field is a choice, it is the
    /// submit button.
    private func focus(_ state: ViewState) -> Int {
        if let focus = state.form.focus { return focus }
        if let field = notice?.field, let index = form.fields.firstIndex(where: { $0.name == field }) { return index }
        let answers = answers(state)
        let index = form.fields.firstIndex { field in
            if case .toggle = field.kind { return false }
            return if let check = field.check { check(answers) != .good } else { text(of: field, state).isEmpty }
        }
        if let index { return index }
        if case .choice? = form.fields.last?.kind { return form.fields.count }
        return max(0, form.fields.count - 1)
    }

    /// The field with the focus, if any.
    private func focusedField(_ state: ViewState) -> Form.Field? {
        let focus = focus(state)
        return form.fields.indices.contains(focus) ? form.fields[focus] : nil
    }

    private func choices(_ state: ViewState) -> [Form.Field.Choice]? {
        guard let field = focusedField(state), case .choice(let all) = field.kind else { return nil }
        return Self.matching(line(field, state).text, in: all)
    }

    /// Returns the choices that match a text: exact matches of value or label first, then those that begin with it,
    /// then those that contain it.
    private static func matching(_ text: String, in choices: [Form.Field.Choice]) -> [Form.Field.Choice] {
        guard !text.isEmpty else { return choices }
        let text = SearchText.fold(text)
        var ranked: [[Form.Field.Choice]] = [[], [], []]
        for choice in choices {
            let label = SearchText.fold(choice.label)
            if label == text || SearchText.fold(choice.value) == text {
                ranked[0].append(choice)
            } else if label.hasPrefix(text) {
                ranked[1].append(choice)
            } else if label.contains(text) {
                ranked[2].append(choice)
            }
        }
        return Array(ranked.joined())
    }

    private func line(_ field: Form.Field, _ state: ViewState) -> LineEditor {
        state.form.lines[field.name] ?? initialLine(field)
    }

    private func initialLine(_ field: Form.Field) -> LineEditor {
        guard case .choice(let choices) = field.kind else { return LineEditor(field.value) }
        return LineEditor(choices.first { $0.value == field.value }?.label ?? field.value)
    }

    private func area(_ field: Form.Field, _ state: ViewState) -> TextEditor {
        state.form.texts[field.name] ?? TextEditor(field.value)
    }

    /// The current text of a field.
    private func text(of field: Form.Field, _ state: ViewState) -> String {
        if field.kind.isLines { return state.form.texts[field.name]?.text ?? field.value }
        return line(field, state).text
    }

    /// The answers in the fields.
    func answers(_ state: ViewState) -> Answers {
        var answers: Answers = [:]
        answers[.version] = state.form.version ?? form.version
        for field in form.fields {
            let text = text(of: field, state)
            guard case .choice(let choices) = field.kind else {
                answers[field.name] = text
                continue
            }
            let best = Self.matching(text, in: choices).first
            answers[field.name] = text.isEmpty ? "" : best?.value ?? text
        }
        return answers
    }

    func isTyping(_ state: ViewState) -> Bool { focusedField(state) != nil }

    var isForTyping: Bool { true }

    func bindings(_ state: ViewState) -> [KeyBinding] {
        var bindings: [KeyBinding] = []
        let field = focusedField(state)
        // The binding does not depend on the matching choices, and finding them is expensive.
        let isChoice = if case .choice = field?.kind { true } else { false }
        if case .toggle = field?.kind {
            bindings.append(KeyBinding(.toggle, "turn on or off", isInBar: true))
        } else if field != nil {
            bindings.append(KeyBinding([], isChoice ? "filter the choices" : "fill in", .type))
        }
        if form.fields.contains(where: \.kind.isLines) || form.trialLabel != nil {
            bindings.append(KeyBinding(.submit, form.submitLabel, isInBar: true))
        }
        if let label = form.trialLabel { bindings.append(KeyBinding(.tryOut, label, isInBar: true)) }
        let isLines = field?.kind.isLines == true
        if isLines {
            bindings += [
                KeyBinding(.editText, "open your editor", isInBar: true),
                KeyBinding([KeyPress(.enter)], "a new line", .type),
            ]
        }
        bindings += [
            KeyBinding(.nextField, "the next field", isInBar: true), KeyBinding(.previousField, "the previous field"),
        ]
        if isLines { return bindings }
        let isLast = field == nil || focus(state) + 1 >= form.fields.count
        bindings.append(KeyBinding(.choose, isLast ? "submit" : "continue", isInBar: true))
        bindings += [
            KeyBinding(.down, isChoice ? "the next choice" : "the next field", isTyping: true),
            KeyBinding(.up, isChoice ? "the previous choice" : "the previous field", isTyping: true),
        ]
        if isChoice {
            bindings += [
                KeyBinding(.pageDown, "a page of choices down", isTyping: true),
                KeyBinding(.pageUp, "a page of choices up", isTyping: true),
            ]
        }
        return bindings
    }

    private func lines(_ state: ViewState, _ theme: Theme) -> [Line] {
        let labelWidth = min((form.fields.map(\.label.displayWidth).max() ?? 0) + 2, max(8, width / 2))
        let answers = answers(state)
        let focus = focus(state)
        var lines = form.handover.map { handover($0, theme) } ?? []
        var complaints: [String] = []
        for (index, field) in form.fields.enumerated() {
            let isFocused = index == focus
            if field.kind.isLines {
                lines += areaLines(field, index, isFocused: isFocused, state, theme)
                continue
            }
            let isSecret = if case .secret = field.kind { true } else { false }
            let room = max(2, width - labelWidth - 3)
            let isToggle = if case .toggle = field.kind { true } else { false }
            let shown =
                isToggle
                ? (text: isOn(field, state) ? "[x]" : "[ ]", cursor: 1)
                : line(field, state).shown(width: room, isSecret: isSecret)
            let label = (field.label.sanitized().truncated(to: labelWidth - 2) + ":").padded(to: labelWidth)
            lines.append(
                Line(
                    focus: index, isFocused: isFocused,
                    spans: [
                        (label, isFocused ? theme.title : theme.secondary),
                        (shown.text.padded(to: room), isToggle ? theme.text : theme.text.adding(.underline)),
                    ], cursor: isFocused ? 1 + labelWidth + shown.cursor : nil))
            switch field.check?(answers) {
            case .wrong(let complaint):
                lines += text("✗ " + complaint, theme.error)
                complaints.append(complaint)
            case .good where notice?.field != field.name: lines += text("✓ good", theme.success)
            case .good, .unfinished, nil:
                if notice?.field == field.name, let notice, !state.form.isEdited {
                    lines += text("✗ " + notice.text, theme.error)
                    complaints.append(notice.text)
                } else if isFocused, let hint = field.hint {
                    lines += text(hint, theme.secondary)
                }
            }
            if hasOtherText(field, state) {
                lines += text("Saved in the meantime: " + field.value, theme.error)
            }
            if isFocused, let choices = choices(state) {
                let height = max(1, min(choices.count, rows.count - lines.count - 2))
                let marked = marked(state, among: choices)
                let shown = marked ?? 0
                let top = windowTop(max(0, shown - height / 2), showing: shown, height: height, count: choices.count)
                for (index, choice) in choices.enumerated().dropFirst(top).prefix(height) {
                    let isMarked = index == marked
                    let text = " \(choice.label.sanitized()) (\(choice.value.sanitized())) "
                    lines.append(
                        Line(
                            spans: [
                                (String(repeating: " ", count: labelWidth), theme.text),
                                (text, isMarked ? theme.selection : theme.text),
                            ], choice: index))
                }
                if choices.isEmpty { lines += text("No choice matches.", theme.secondary) }
            }
        }
        if let notice, !state.form.isEdited, !complaints.contains(notice.text) {
            let said = text(notice.text, notice.error == nil ? theme.success : theme.error)
            lines += said.map { line in
                var line = line
                line.isNotice = true
                return line
            }
        }
        for (index, label) in buttons.enumerated() {
            let isFocused = form.fields.count + index == focus
            lines.append(
                Line(
                    focus: form.fields.count + index, isFocused: isFocused,
                    spans: [("[ \(label.sanitized()) ]", isFocused ? theme.selection : theme.accent)]))
        }
        return lines
    }

    /// The width of the text in a multi-line field. The last column is for the cursor.
    private var areaWidth: Int { max(2, width - 5) }

    /// The height of a multi-line field: the rows that the other lines of the form leave free.
    private var areaHeight: Int {
        let areas = form.fields.count { $0.kind.isLines }
        let others = form.fields.count + 1 + buttons.count + (notice == nil ? 0 : 1)
        // If the saved text is shown too, use only half of the space.
        return max(3, (rows.count - others) / max(1, areas) / (form.hasEditConflict ? 2 : 1))
    }

    /// Returns the lines of a multi-line field, below its label.
    private func areaLines(
        _ field: Form.Field, _ index: Int, isFocused: Bool, _ state: ViewState, _ theme: Theme
    ) -> [Line] {
        let (shown, cursor) = area(field, state).shown(width: areaWidth, height: areaHeight)
        var lines = text(
            field.label + ":" + (isFocused ? field.hint.map { " " + $0 } ?? "" : ""),
            isFocused ? theme.title : theme.secondary)
        for row in 0..<areaHeight {
            let hasCursor = isFocused && row == cursor.row
            lines.append(
                Line(
                    focus: index, isFocused: hasCursor,
                    spans: [
                        ("│ ", isFocused ? theme.accent : theme.secondary),
                        (row < shown.count ? shown[row] : "", theme.text),
                    ], cursor: hasCursor ? 3 + cursor.column : nil))
        }
        if hasOtherText(field, state) { lines += text("Saved in the meantime:\n" + field.value, theme.error) }
        return lines
    }

    /// Whether the text of a field differs from the one that was saved elsewhere after the user had begun.
    private func hasOtherText(_ field: Form.Field, _ state: ViewState) -> Bool {
        form.hasEditConflict && text(of: field, state) != field.value
    }

    /// The text to type into another device if its camera cannot scan the code.
    private func handover(_ handover: Form.Handover, _ theme: Theme) -> [Line] {
        let hint = code == nil ? "The terminal is too small for the QR code. " : ""
        return text(hint + handover.hint, theme.secondary) + text(handover.text, theme.text) + [Line()]
    }

    private func text(_ text: String, _ style: Style) -> [Line] {
        text.sanitized(keeping: .newline).wrapped(to: width - 2).map { Line(spans: [($0, style)]) }
    }

    /// Returns the visible lines around the focus.
    private func seen(_ lines: [Line]) -> ArraySlice<Line> {
        let focused = lines.firstIndex(where: \.isFocused) ?? 0
        let top = windowTop(max(0, focused - rows.count / 2), showing: focused, height: rows.count, count: lines.count)
        return lines.dropFirst(top).prefix(rows.count)
    }

    func hidesNotice(_ state: ViewState) -> Bool {
        guard notice != nil else { return false }
        let lines = lines(state, .standard)
        return lines.contains(where: \.isNotice) && !seen(lines).contains(where: \.isNotice)
    }

    func draw(_ state: ViewState, into frame: inout Frame, theme: Theme) {
        for (index, line) in (code?.lines ?? []).enumerated() {
            frame.draw(
                line, QRCode.style(isColored: theme.isColored), row: rows.lowerBound + index,
                columns: width..<width + (code?.width ?? 0))
        }
        for (index, line) in seen(lines(state, theme)).enumerated() {
            var column = 1
            for (text, style) in line.spans {
                column = frame.draw(
                    text, style, row: rows.lowerBound + index, columns: column..<max(column, width - 1))
            }
            if let cursor = line.cursor {
                frame.cursor = Position(row: rows.lowerBound + index, column: min(cursor, width - 1))
            }
        }
    }

    private func marked(_ state: ViewState, among choices: [Form.Field.Choice]) -> Int? {
        if let marked = state.form.marked, choices.indices.contains(marked) { return marked }
        guard let field = focusedField(state), !choices.isEmpty else { return nil }
        return line(field, state).text.isEmpty ? nil : 0
    }

    func perform(_ command: KeyCommand, _ state: inout ViewState) -> Intent? {
        let count = form.fields.count + buttons.count
        let hasChoices = if case .choice? = focusedField(state)?.kind { true } else { false }
        let page = max(1, rows.count - form.fields.count - 3)
        switch command {
        case .nextField, .previousField:
            let next = focus(state) + (command == .nextField ? 1 : -1)
            move(to: (next + count) % count, &state)
            // After the last button comes the next pane.
            if !(0..<count).contains(next) { return .perform(.moveFocus(isBackward: next < 0)) }
        case .down: if hasChoices { mark(by: 1, &state) } else { move(to: (focus(state) + 1) % count, &state) }
        case .up: if hasChoices { mark(by: -1, &state) } else { move(to: (focus(state) + count - 1) % count, &state) }
        case .pageDown: mark(by: page, &state)
        case .pageUp: mark(by: -page, &state)
        case .choose:
            let index = focus(state)
            applyChoice(&state)
            if index + 1 < form.fields.count {
                move(to: index + 1, &state)
            } else if index <= form.fields.count {
                return submit(&state)
            } else if index <= form.fields.count + trialLabels.count {
                return tryOut(&state)
            } else if actions.indices.contains(index - form.fields.count - trialLabels.count - 1) {
                return actions[index - form.fields.count - trialLabels.count - 1].intent
            }
        case .toggle:
            if let field = focusedField(state) { toggle(field, &state) }
        case .tryOut:
            applyChoice(&state)
            return tryOut(&state)
        case .submit:
            applyChoice(&state)
            return submit(&state)
        case .editText:
            guard let field = focusedField(state), field.kind.isLines else { return nil }
            return .perform(.editText(field.name, text(of: field, state)))
        default: break
        }
        return nil
    }

    /// The user goes on in the form after the result, so the focus stays.
    private func tryOut(_ state: inout ViewState) -> Intent? {
        state.form.focus = focus(state)
        let intent = send(.tried(answers(state)), &state)
        if intent != nil { state.form.keepsFocus = true }
        return intent
    }

    private func submit(_ state: inout ViewState) -> Intent? { send(.submitted(answers(state)), &state) }

    private func send(_ event: AppEvent, _ state: inout ViewState) -> Intent? {
        let texts = texts(state)
        // Pressing Enter again must not send the same answers a second time.
        guard !isBusy || state.form.sent != texts else { return nil }
        state.form.sent = texts
        return .send(event)
    }

    private func isOn(_ field: Form.Field, _ state: ViewState) -> Bool { text(of: field, state) == Form.Field.on }

    private func toggle(_ field: Form.Field, _ state: inout ViewState) {
        guard case .toggle = field.kind else { return }
        let focus = focus(state)
        state.form.lines[field.name] = LineEditor(isOn(field, state) ? "" : Form.Field.on)
        (state.form.focus, state.form.isEdited) = (focus, true)
    }

    private func move(to index: Int, _ state: inout ViewState) {
        applyChoice(&state)
        state.form.focus = index
    }

    /// Writes the highlighted choice into its field.
    private func applyChoice(_ state: inout ViewState) {
        if let field = focusedField(state), let choices = choices(state), let marked = marked(state, among: choices) {
            state.form.lines[field.name] = LineEditor(choices[marked].label)
        }
        state.form.marked = nil
    }

    private func mark(by distance: Int, _ state: inout ViewState) {
        guard let choices = choices(state), !choices.isEmpty else { return }
        let index = marked(state, among: choices).map { $0 + distance } ?? (distance > 0 ? distance - 1 : 0)
        state.form.marked = max(0, min(index, choices.count - 1))
    }

    func type(_ event: InputEvent, _ state: inout ViewState) -> Intent? {
        guard let field = focusedField(state) else { return nil }
        if case .toggle = field.kind { return nil }
        if field.kind.isLines {
            typeText(event, field, &state)
            return nil
        }
        var line = line(field, state)
        let before = line.text
        guard line.handle(event) else { return nil }
        state.form.focus = focus(state)
        state.form.lines[field.name] = line
        guard line.text != before else { return nil }
        state.form.isEdited = true
        state.form.marked = nil
        return nil
    }

    private func typeText(_ event: InputEvent, _ field: Form.Field, _ state: inout ViewState) {
        let focus = focus(state)
        var area = area(field, state)
        if area.handle(event, width: areaWidth, page: areaHeight) {
            state.form.focus = focus
            state.form.texts[field.name] = area
            state.form.isEdited = true
        } else if event == .key(.up), focus > 0 {
            move(to: focus - 1, &state)
        } else if event == .key(.down) {
            move(to: focus + 1, &state)
        }
    }

    func click(row: Int, column: Int, _ state: inout ViewState) -> Intent? {
        let lines = seen(lines(state, .standard))
        let index = lines.startIndex + row - rows.lowerBound
        guard lines.indices.contains(index) else { return nil }
        if let choice = lines[index].choice {
            state.form.marked = choice
            applyChoice(&state)
        } else if let focus = lines[index].focus {
            move(to: focus, &state)
            if focus >= form.fields.count { return perform(.choose, &state) }
            toggle(form.fields[focus], &state)
        }
        return nil
    }

    /// The visible texts of the fields.
    private func texts(_ state: ViewState) -> [FieldName: String] {
        Dictionary(form.fields.map { ($0.name, text(of: $0, state)) }, uniquingKeysWith: { $1 })
    }

    /// Handles that a sent form was rejected: the wrong field gets the focus, and secrets are cleared, because they
    /// cannot be proofread. Text that the user typed since then stays.
    private func restore(_ sent: [FieldName: String], _ state: inout ViewState) {
        if texts(state) == sent, !state.form.keepsFocus || notice?.field != nil { state.form.focus = nil }
        state.form.keepsFocus = false
        for field in form.fields {
            guard case .secret = field.kind, line(field, state).text == sent[field.name] else { continue }
            state.form.lines[field.name] = nil
        }
        (state.form.sent, state.form.version) = (nil, nil)
    }

    func isSent(_ state: ViewState) -> Bool { state.form.sent == texts(state) }

    func draft(_ state: ViewState) -> FormState? {
        var draft = FormState()
        draft.version = state.form.version ?? form.version
        for field in form.fields {
            if case .secret = field.kind { continue }
            draft.lines[field.name] = state.form.lines[field.name]
            draft.texts[field.name] = state.form.texts[field.name]
        }
        return draft.lines.isEmpty && draft.texts.isEmpty ? nil : draft
    }

    func isChanged(_ state: ViewState) -> Bool {
        form.fields.contains { field in
            if case .secret = field.kind { return false }
            let isOtherLine = state.form.lines[field.name].map { $0.text != initialLine(field).text } ?? false
            return isOtherLine || state.form.texts[field.name].map { $0.text != field.value } ?? false
        }
    }

    func fit(_ state: inout ViewState, from previous: (any ContentView)?) {
        if !isBusy, let sent = state.form.sent { restore(sent, &state) }
        state.form.focus = max(0, min(focus(state), form.fields.count + buttons.count - 1))
        state.form.isEdited = false
    }
}

extension Form.Field.Kind {
    /// Whether it is a multi-line text.
    fileprivate var isLines: Bool { if case .lines = self { true } else { false } }
}
