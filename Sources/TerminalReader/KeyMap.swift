package import Terminal

/// The keys of a session: the standard keys, replaced by those that the user configured.
package struct KeyMap: Hashable, Sendable {
    private var chosen: [KeyPurpose: [KeyPress]] = [:]

    /// Creates a map with the standard keys.
    package init() {}

    /// The configured keys for a purpose; nil for the standard ones. An empty array means that only the mouse works.
    package subscript(purpose: KeyPurpose) -> [KeyPress]? {
        get { chosen[purpose] }
        set { chosen[purpose] = newValue }
    }

    /// Returns the purpose that already uses a key on a screen where `purpose` is used too.
    package func owner(of key: KeyPress, besides purpose: KeyPurpose) -> KeyPurpose? {
        KeyPurpose.allCases.first {
            $0 != purpose && chosen[$0]?.contains(key) == true && !$0.places.isDisjoint(with: purpose.places)
        }
    }

    /// Returns the keys that the user configured for these purposes. They are removed from all other purposes.
    func claimed(by purposes: some Sequence<KeyPurpose>) -> Set<KeyPress> {
        Set(purposes.flatMap { chosen[$0] ?? [] })
    }

    /// Returns bindings with the configured keys.
    ///
    /// - Parameter claimed: keys that the user configured, so that they must not get another meaning.
    func applied(to bindings: [KeyBinding], claimed: Set<KeyPress>) -> [KeyBinding] {
        guard !chosen.isEmpty else { return bindings }
        var seen: Set<KeyPurpose> = []
        return bindings.compactMap { binding in
            // Keep further keys that are independent of the purpose, such as Enter for the next line.
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
