/// How well the service knows a caller that logs in to a name.
package enum Standing: Sendable {
    /// A device that the user has logged in from before.
    case device(DeviceToken)
    /// An origin that the user has logged in from, or used a reset code from, in the last `ThrottlePolicy.originLifetime`.
    case origin
    /// A stranger that has failed less often than `ThrottlePolicy.trials`.
    case newcomer
    /// A stranger that has failed before.
    case stranger

    /// The known device, if it is one.
    var device: DeviceToken? {
        if case .device(let device) = self { device } else { nil }
    }

    /// The place in the queue for hashing a password.
    func turn(from origin: Origin) -> HashQueue.Turn {
        switch self {
        case .device(let device): HashQueue.Turn(.known, device.text)
        case .origin: HashQueue.Turn(.known, origin.text)
        case .newcomer: HashQueue.Turn(.newcomer, origin.site.text)
        case .stranger: HashQueue.Turn(.other, origin.site.text)
        }
    }
}
