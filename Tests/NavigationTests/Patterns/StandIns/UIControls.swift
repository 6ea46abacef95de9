enum UIColor: Equatable {
    case white, cyan, yellow, magenta
}

struct CGRect: Equatable {
    var width = 0.0
    var height = 0.0
}

@MainActor
class UIView {
    var backgroundColor: UIColor?
    private(set) var subviews: [UIView] = []

    init() {}

    func addSubview(_ view: UIView) { subviews.append(view) }
}

@MainActor
final class UILabel: UIView {
    var text: String?
}

@MainActor
final class UITextField: UIView {
    var text: String?
    var hasText: Bool { text?.isEmpty == false }
}

@MainActor
final class UIAction {
    fileprivate(set) weak var sender: AnyObject?
    fileprivate let handler: (UIAction) -> Void

    init(handler: @escaping (UIAction) -> Void) { self.handler = handler }
}

@MainActor
class UIControl: UIView {
    enum Event { case touchUpInside }

    var tag = 0
    private var actions: [UIAction] = []

    func addAction(_ action: UIAction, for event: Event) { actions.append(action) }

    func sendActions(for event: Event) {
        for action in actions {
            action.sender = self
            action.handler(action)
        }
    }
}

@MainActor
final class UIButton: UIControl {}

struct IndexPath {
    let row: Int
}

@MainActor
final class UITableView: UIView {}

@MainActor
class UITableViewController: UIViewController {
    let tableView = UITableView()

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
}
