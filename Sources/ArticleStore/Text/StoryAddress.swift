/// The web address of a story in a form in which different spellings of it are equal.
///
/// The scheme, the case of the host, the default port, the fragment, parameters for tracking, and a slash at the end do not
/// count. The start page of a site is not the address of a story.
public struct StoryAddress: Sendable, Hashable {
    /// The address without its scheme and without the parts that do not count.
    package let text: String
    /// The address as it was written.
    private let written: String

    /// Creates the address. Returns nil if the text is not a web address, or if it is the start page of a site.
    public init?(_ address: String) {
        guard let address = WebAddress.valid(address), let colon = address.firstIndex(of: ":") else { return nil }
        written = address
        let scheme = address[..<colon].lowercased()
        let rest = address[colon...].dropFirst(3).prefix { $0 != "#" }
        var host = rest.prefix { !"/?".contains($0) }.lowercased()
        let port = scheme == "http" ? ":80" : ":443"
        if host.hasSuffix(port) { host.removeLast(port.count) }
        let location = rest.drop { !"/?".contains($0) }
        var path = location.prefix { $0 != "?" }
        while path.last == "/" { path.removeLast() }
        let query = location.dropFirst(location.prefix { $0 != "?" }.count + 1).split(separator: "&")
            .filter { !Self.isForTracking($0.prefix { $0 != "=" }.lowercased()) }
        guard !path.isEmpty || !query.isEmpty else { return nil }
        text = host + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private static func isForTracking(_ name: String) -> Bool {
        name.hasPrefix("utm_") || ["fbclid", "gclid", "mc_cid", "mc_eid"].contains(name)
    }

    /// A hash of the text, which is the same on every machine.
    package var hash: Int64 { Int64(bitPattern: RecordHash(text, seed: 0).value) }

    /// The spellings by which articles without a stored hash are found: the address as it was written, and the text with
    /// both schemes, with and without a slash at the end.
    package var spellings: [String] {
        let bare = ["https://" + text, "http://" + text]
        return Array(Set([written] + bare + (text.contains("?") ? [] : bare.map { $0 + "/" })))
    }

    /// Whether two addresses are spellings of the same one.
    public static func == (first: StoryAddress, second: StoryAddress) -> Bool { first.text == second.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
