public import Terminal

/// Which keys do what in a session: the standard ones, and instead of them those that a person has chosen.
public struct KeyMap: Hashable, Sendable {
    private var chosen: [KeyPurpose: [KeyPress]] = [:]

    /// The standard keys.
    public init() {}

    /// The keys that were chosen for a purpose; nil where it has the standard ones. With none it can only be clicked.
    public subscript(purpose: KeyPurpose) -> [KeyPress]? {
        get { chosen[purpose] }
        set { chosen[purpose] = newValue }
    }

    /// Returns the purpose that already has a key in a place of `purpose`.
    public func owner(of key: KeyPress, besides purpose: KeyPurpose) -> KeyPurpose? {
        KeyPurpose.allCases.first {
            $0 != purpose && chosen[$0]?.contains(key) == true && !$0.places.isDisjoint(with: purpose.places)
        }
    }

    /// The keys that were chosen for any of these purposes, which do nothing else then.
    func claimed(by purposes: some Sequence<KeyPurpose>) -> Set<KeyPress> {
        Set(purposes.flatMap { chosen[$0] ?? [] })
    }

    /// Bindings with the keys that were chosen.
    ///
    /// - Parameter claimed: Keys that do nothing but what they were chosen for.
    func applied(to bindings: [KeyBinding], claimed: Set<KeyPress>) -> [KeyBinding] {
        guard !chosen.isEmpty else { return bindings }
        var seen: Set<KeyPurpose> = []
        return bindings.compactMap { binding in
            // Keep the keys beside those of the purpose, such as Enter for a line down.
            if let purpose = binding.purpose, let keys = chosen[purpose], seen.insert(purpose).inserted {
                let keys = keys + (purpose == .quit ? [.control("c")] : [])
                return binding.with(
                    binding.command == .quit && purpose == .back ? keys.filter { $0.key != .escape } : keys)
            }
            let keys = binding.keys.filter { !claimed.contains($0) }
            return keys.isEmpty && !binding.keys.isEmpty ? nil : binding.with(keys)
        }
    }
}
