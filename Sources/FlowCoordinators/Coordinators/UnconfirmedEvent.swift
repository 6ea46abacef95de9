internal import AuthService
internal import Navigation

/// An event of the account that waits until the user has given the password again, in a form that can be stored.
struct UnconfirmedEvent: Codable {
    private enum Kind: String, Codable {
        case submitted, newFeedAddress, recoveryCodes, secondFactorRemoval, sessionEnd
    }

    private let kind: Kind
    private let path: String
    /// The answers of a form.
    private var answers: [String: String]?
    /// The session to end; nil for all.
    private var session: String?

    /// Nil if no request of this event needs the password.
    init?(_ event: AppEvent, in place: AppRoute) {
        path = place.path
        switch event {
        case .submitted(let given):
            kind = .submitted
            answers = Dictionary(
                uniqueKeysWithValues: FieldName.allCases.compactMap { field in
                    given[field].map { (field.rawValue, $0) }
                })
        case .newFeedAddressChosen: kind = .newFeedAddress
        case .recoveryCodesChosen: kind = .recoveryCodes
        case .secondFactorRemovalChosen: kind = .secondFactorRemoval
        case .sessionEndConfirmed(.session(let id)): (kind, session) = (.sessionEnd, id.description)
        case .sessionEndConfirmed(.everywhere): kind = .sessionEnd
        default: return nil
        }
    }

    /// The event and its place; nil if the place does not exist any more.
    var event: (event: AppEvent, place: AppRoute)? {
        guard let place = AppRoute(path: path) else { return nil }
        switch kind {
        case .submitted:
            let fields = (answers ?? [:]).compactMap { name, text in FieldName(rawValue: name).map { ($0, text) } }
            return (.submitted(Answers(Dictionary(fields, uniquingKeysWith: { $1 }))), place)
        case .newFeedAddress: return (.newFeedAddressChosen, place)
        case .recoveryCodes: return (.recoveryCodesChosen, place)
        case .secondFactorRemoval: return (.secondFactorRemovalChosen, place)
        case .sessionEnd:
            guard let session else { return (.sessionEndConfirmed(.everywhere), place) }
            return Session.ID(session).map { (event: AppEvent.sessionEndConfirmed(.session($0)), place: place) }
        }
    }
}
