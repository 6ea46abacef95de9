/// Returns the payload of an enumeration's case; nil if the value is another case.
///
/// The payload is found by reflection, so an application does not write the same pattern twice, once to wrap a value
/// and once to unwrap it.
///
/// - Parameters:
///   - whole: The value of the enumeration.
///   - make: The case, as a function of its payload.
func casePayload<Whole, Payload>(of whole: Whole, _ make: (Payload) -> Whole) -> Payload? {
    guard let child = reflectedCase(whole) else { return nil }
    // The payload of a case with one labeled value is reflected as a tuple of one element.
    let values = [child.value] + Mirror(reflecting: child.value).children.prefix(1).map { $0.value }
    for case let payload as Payload in values
    where reflectedCase(make(payload))?.label == child.label { return payload }
    return nil
}

private func reflectedCase(_ value: Any) -> (label: String, value: Any)? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, let child = mirror.children.first, let label = child.label else { return nil }
    return (label, child.value)
}
