import FlowCoordinators
import Navigation
import TestSupport

/// The words of all screens that stories show, for a golden file. Only the names of things are included, not data.
final class ScreenWords {
    private var lines: [String: Set<String>] = [:]

    /// Records the words of the shown screen.
    func record(_ application: Application) async {
        // Loading the screen may leave out a place that no longer exists.
        guard let screen = try? await application.screen, let route = application.coordinator.navigator.state.top?.route
        else { return }
        var words = ["title: \(screen.title)"]
        // The texts of the system's errors are not ours.
        if let notice = screen.notice, !notice.text.hasPrefix("Error Domain") { words.append("notice: \(notice.text)") }
        words += screen.actions.map { describe($0, as: "action") }
        switch screen.content {
        case .menu(let text): words.append("text: \(text)")
        case .form(let form):
            words.append("submit: \(form.submitLabel)")
            if let label = form.trialLabel { words.append("try: \(label)") }
            words += form.fields.map { "field \($0.name): \($0.label)" + ($0.hint.map { " – \($0)" } ?? "") }
            if let hint = form.handover?.hint { words.append("handover: \(hint)") }
        case .list(let list):
            words += list.columns.map { "column: \($0.title)" }
            words.append("placeholder: \(list.placeholder)")
            if let choice = list.choice { words.append("choice: \(choice)") }
            for row in list.rows {
                if let question = row.confirmation { words.append("row asks: \(question)") }
                words += row.actions.map { describe($0, as: "row action") }
            }
        case .document(let document):
            words += document.facts.map { "fact: \($0.label)" }
            words += document.copies.map { "copy: \($0.label)" }
        }
        lines[route.screenName, default: []].formUnion(words.map(withoutRandomness))
    }

    private func describe(_ action: Action, as kind: String) -> String {
        "\(kind) \(action.id): \(action.label)" + (action.confirmation.map { " – asks: \($0)" } ?? "")
    }

    private func withoutRandomness(_ text: String) -> String {
        text.replacing(/\b[0-9a-f]{16}\b/, with: "ID").replacing(/[^ ]*\/articlesctl-[^\/ ]+/, with: "FOLDER")
            .replacing("\n", with: " ")
    }

    /// All words, sorted by screen.
    var text: String {
        lines.sorted { $0.key < $1.key }.map { "\($0.key)\n" + $0.value.sorted().map { "  \($0)\n" }.joined() }
            .joined(separator: "\n")
    }
}
