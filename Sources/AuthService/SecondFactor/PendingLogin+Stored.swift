internal import Text

/// The form in which a front stores a login that waits for its code, if other processes may get the next request.
///
/// A person who can write this form does not need a password, so the front must keep it where the client cannot change it.
extension PendingLogin {
    private struct Stored: Codable {
        let id: String
        let user: User.ID
        let name: String
        let region: String
        let createdAt: Date
        let passwordChangedAt: Date
        let role: String
        let client: String
        let origin: String
        let device: String?
        let standing: String
        let startedAt: Date
        let expiresAt: Date
    }

    /// The login as text.
    package var stored: String? {
        let (device, standing): (String?, String) =
            switch standing {
            case .device(let token): (token.text, "device")
            case .origin: (nil, "origin")
            case .newcomer: (nil, "newcomer")
            case .stranger: (nil, "stranger")
            }
        let stored = Stored(
            id: id.description, user: user.id, name: user.username.text, region: user.region.code,
            createdAt: user.createdAt, passwordChangedAt: user.passwordChangedAt, role: user.role.rawValue,
            client: client, origin: origin.text, device: device, standing: standing, startedAt: startedAt,
            expiresAt: expiresAt)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(stored)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads a stored login; nil if the text is invalid.
    package init?(stored text: String) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)),
            let id = Session.ID(stored.id), let name = try? Username(stored.name),
            let region = try? Region(stored.region), let role = Role(rawValue: stored.role)
        else { return nil }
        let standing: Standing
        switch (stored.standing, stored.device.flatMap { DeviceToken($0) }) {
        case ("device", let device?): standing = .device(device)
        case ("origin", _): standing = .origin
        case ("newcomer", _): standing = .newcomer
        case ("stranger", _): standing = .stranger
        default: return nil
        }
        self.init(
            id: id,
            user: User(
                id: stored.user, username: name, region: region, createdAt: stored.createdAt,
                passwordChangedAt: stored.passwordChangedAt, role: role),
            client: stored.client, origin: Origin(stored.origin), standing: standing, startedAt: stored.startedAt,
            expiresAt: stored.expiresAt)
    }
}
