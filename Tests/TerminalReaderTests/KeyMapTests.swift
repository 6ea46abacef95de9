import ArticleStore
import FlowCoordinators
import Terminal
import Testing

@testable import TerminalReader

@Suite("Chosen keys")
struct KeyMapTests {
    private func view(_ screen: Screen, _ keys: KeyMap = KeyMap(), isRoot: Bool = false) -> ReaderView {
        ReaderView(screen, size: Size(columns: 80, rows: 24), theme: .standard, keys: keys, isRoot: isRoot)
    }

    private func command(_ press: KeyPress, on view: ReaderView) -> KeyCommand? {
        view.bindings(view.fitted(ViewState())).command(for: press)
    }

    private func map(_ purpose: KeyPurpose, _ keys: String...) throws -> KeyMap {
        var map = KeyMap()
        map[purpose] = try keys.map { try KeyPress(notation: $0) }
        return map
    }

    @Test("Every screen has the keys of the table", arguments: Screen.all.indices)
    func standard(place: Int) {
        let view = view(Screen.all[place])
        guard !view.isForTyping else { return }
        var seen: Set<KeyPurpose> = []
        for binding in view.bindings(view.fitted(ViewState())) {
            guard let purpose = binding.purpose, seen.insert(purpose).inserted else { continue }
            // Another action may have used the letter first.
            if case .action = binding.command { continue }
            #expect(binding.keys.allSatisfy(purpose.standardKeys.contains), "\(purpose)")
        }
    }

    @Test("The table has each key once, except for letters that fill in a form")
    func conflicts() {
        let meanings = KeyPurpose.allCases.map { KeyMeaning.purpose($0) } + FixedKey.allCases.map { .fixed($0) }
        var owners: [KeyPress: KeyMeaning] = [:]
        for meaning in meanings {
            for key in meaning.keys {
                if case .fixed(let fixed) = meaning, fixed.places == .forms, key.isText {
                    continue
                }
                #expect(owners.updateValue(meaning, forKey: key) == nil, "\(key.name)")
            }
        }
        #expect(KeyRow.all.map(\.summary).count == meanings.count + KeyPurpose.goKeys.count)
    }

    /// All kinds of screens, with several actions without a letter.
    private static let screens: [Screen] = Screen.all.map { screen in
        var screen = screen
        screen.actions += (1...12).map { Action("Action \($0)", .open(.account), id: "\($0)") }
        screen.actions += [
            Action("Leave", .leaveConfirmed, for: .leave), Action("Stay", .leaveDeclined, for: .stay),
            Action("Read", .open(.account), for: .read), Action("Filter", .open(.account), for: .library),
        ]
        return screen
    }

    @Test("Each key has the meaning of the table on every screen and in every state", arguments: screens.indices)
    func meanings(place: Int) {
        let screen = Self.screens[place]
        for panes in [PaneMode.unavailable, .off, .on] {
            let view = ReaderView(screen, size: Size(columns: 80, rows: 24), theme: .standard, panes: panes)
            for keys in ["", "?", "/", "/a", "1", "c", "\t", "s", "|", "L", "/a\r"] {
                var state = view.fitted(ViewState())
                for key in keys.unicodeScalars { _ = view.handle(.character(key), &state) }
                let isText = view.isForTyping || state.search != nil || state.prompt != nil
                for binding in view.bindings(state) where binding.command != .type {
                    for key in binding.keys where !(isText && key.isText) {
                        #expect(isMeant(key, in: binding), "\(key.name): \(binding.help) on \(screen.title), \(keys)")
                    }
                }
            }
        }
    }

    /// Whether a binding gives a key its meaning in the table.
    private func isMeant(_ key: KeyPress, in binding: KeyBinding) -> Bool {
        if let purpose = binding.purpose { return purpose.standardKeys.contains(key) }
        if let meaning = binding.command.meaning { return meaning.keys.contains(key) }
        return FixedKey.number.keys.contains(key)
    }

    @Test(
        "Every purpose of an action has a key, except those without a fixed meaning", arguments: Action.Purpose.allCases
    )
    func actionKeys(purpose: Action.Purpose) {
        #expect((purpose.keyPurpose == nil) == [.leave, .stay, .other].contains(purpose))
    }

    @Test("The order of a list gives no key to another action")
    func sameKeys() {
        let write = Action("Write", .open(.writing), for: .writing)
        let other = Action("What now", .open(.account))
        let newest = Action("Newest first", .sortChosen(.newest), for: .sort(.newest))
        for actions in [[write, other], [newest, write, other], [other, newest, write]] {
            var screen = Screen.articles(count: 3)
            screen.actions = actions
            let bindings = view(screen).bindings(ViewState())
            func help(_ key: Unicode.Scalar) -> String? { bindings.first { $0.keys.contains(.letter(key)) }?.help }
            #expect(help("W") == "Write")
            #expect(help("w") == (actions.contains { $0.label == newest.label } ? "Newest first" : nil))
            #expect(help("1") == "What now")
        }
    }

    @Test("After g, the keys of Miniflux go to lists")
    func going() throws {
        func event(_ keys: String, on screen: Screen) -> String? {
            let view = view(screen)
            var state = view.fitted(ViewState())
            var last: String?
            for key in keys.unicodeScalars {
                switch view.handle(.character(key), &state) {
                case .send(let event): last = "\(event)"
                case .go(let place): last = place.path
                default: break
                }
            }
            return last
        }
        let article = Screen.article(paragraphs: 30)
        for screen in [article, .articles(count: 3)] {
            #expect(event("gu", on: screen) == "/articles?unread=yes")
            #expect(event("gb", on: screen) == "/articles?starred=yes")
            #expect(event("gf", on: screen) == "/library")
        }
        #expect(event("gh", on: article)?.contains("isRead: Optional(true)") == true)
        #expect(event("ggu", on: article) == "/articles?unread=yes")
        #expect(event("u", on: article) == nil)
        #expect(event("gju", on: article) == nil)
    }

    @Test("A key is read in its written form", arguments: KeyPurpose.allCases)
    func notation(purpose: KeyPurpose) throws {
        for key in purpose.standardKeys where key != .control("c") {
            #expect(try KeyPress(notation: key.notation) == key)
            #expect(key.name == "/" || !key.notation.isEmpty)
        }
    }

    @Test("A chosen key is shown in the bar and the help, and replaces the standard one")
    func chosen() throws {
        let list = view(.articles(count: 30), try map(.find, "x"))
        #expect(command(.letter("x"), on: list) == .find)
        #expect(command(.letter("/"), on: list) == nil)
        #expect(list.draw(list.fitted(ViewState())).text(row: 23).contains("x find"))
        var state = list.fitted(ViewState())
        state.isHelpShown = true
        #expect(list.draw(state).text.split(separator: "\n").contains { $0.hasPrefix(" x ") && $0.contains("find") })
    }

    @Test("A key that is chosen for one action does nothing else there")
    func claimed() throws {
        let article = view(.article(paragraphs: 30), try map(.wider, "d", "Ctrl-N"))
        #expect(command(.letter("d"), on: article) == .wider)
        #expect(command(.control("n"), on: article) == .wider)
        #expect(command(.control("d"), on: article) == .halfPageDown)
        #expect(command(.letter("+"), on: article) == nil)
        let list = view(.articles(count: 30), try map(.wider, "d"))
        #expect(command(.letter("d"), on: list) == .halfPageDown)
    }

    @Test("Ctrl-C always quits, and Esc never does")
    func ways() throws {
        let quit = view(.articles(count: 3), try map(.quit, "Q"))
        #expect(command(.letter("Q"), on: quit) == .quit)
        #expect(command(.control("c"), on: quit) == .quit)
        let back = try map(.back, "Esc", "h")
        #expect(command(.letter("h"), on: view(.articles(count: 3), back)) == .back)
        #expect(command(KeyPress(.escape), on: view(.articles(count: 3), back)) == .back)
        #expect(command(KeyPress(.escape), on: view(.articles(count: 3), back, isRoot: true)) == nil)
        #expect(command(.letter("h"), on: view(.articles(count: 3), back, isRoot: true)) == .quit)
    }

    @Test("In a text field, letters are text")
    func typing() throws {
        var map = KeyMap()
        for (purpose, key) in zip(
            KeyPurpose.allCases, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars)
        {
            map[purpose] = [.letter(key)]
        }
        for screen in Screen.all {
            guard case .form = screen.content else { continue }
            let (with, without) = (view(screen, map), view(screen))
            #expect(
                with.bindings(with.fitted(ViewState())).map(\.keys)
                    == without.bindings(without.fitted(ViewState())).map(\.keys))
        }
    }
}

extension ReaderView {
    /// Whether letters are text on this screen.
    fileprivate var isForTyping: Bool { if case .form = screen.content { true } else { false } }
}
