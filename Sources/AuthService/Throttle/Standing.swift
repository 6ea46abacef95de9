/// How well the service knows a caller that logs in to a name.
package enum Standing: Sendable {
    /// A device from which the user has logged in before.
    case device(DeviceToken)
    /// An origin from which the user has logged in, or used a reset code, in the last `ThrottlePolicy.originLifetime`.
    case origin
    /// An unknown caller with fewer failures than `ThrottlePolicy.newcomerFailures`.
    case newcomer
    /// An unknown caller with more failures.
    case stranger

    /// The known device, if there is one.
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
