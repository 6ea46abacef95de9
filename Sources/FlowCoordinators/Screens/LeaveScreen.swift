/// The question whether to leave although data will be lost.
struct LeaveScreen: Sendable {
    let work: UnsavedWork

    var screen: Screen {
        switch work {
        case .signUp:
            question(
                "Leave the registration?", "The account is not created yet, and your entries will be lost.",
                stay: "Continue registering")
        case .importing:
            question(
                "Stop the import?", "It is not finished. The articles that it has read stay in the library.",
                stay: "Continue importing")
        }
    }

    private func question(_ title: String, _ text: String, stay: String) -> Screen {
        Screen(
            title: title, content: .menu(text: text),
            actions: [
                Action(stay, .leaveDeclined, for: .stay), Action("Leave", .leaveConfirmed, for: .leave),
            ])
    }
}

/// The data that would be lost by leaving.
public enum UnsavedWork: String, Hashable, Sendable, CaseIterable {
    /// The contents of the registration form.
    case signUp = "signup"
    /// The rest of a running import.
    case importing = "import"
}
