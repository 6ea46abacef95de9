package import Text

extension ArticleMarks {
    /// The marks as JSON: each mark is an object with its `value` and the time when it `changed`.
    package var json: JSON {
        func mark(_ value: JSON, _ changed: Date?) -> JSON {
            ["value": value, "changed": JSON(changed.map { RFC3339.string(from: $0) })]
        }
        func tags(_ tags: [Mark<TagName>]) -> JSON { .array(tags.map { mark(.string($0.value.name), $0.changed) }) }
        return [
            "read": mark(.bool(read.value), read.changed), "starred": mark(.bool(starred.value), starred.changed),
            "later": mark(.bool(later.value), later.changed), "hidden": mark(.bool(hidden.value), hidden.changed),
            "place": mark(readingPosition.value.map { JSON($0) } ?? .null, readingPosition.changed),
            "note": mark(JSON(note.value), note.changed),
            "tags": tags(self.tags), "removedTags": tags(removedTags),
        ]
    }

    /// Reads ``json``, or JSON that a person wrote. The time of a value may be missing.
    ///
    /// - Parameters:
    ///   - json: an object; members that are not marks are ignored.
    ///   - leftOut: counts the values that are not valid marks.
    package init(_ json: JSON, leftOut: inout Int) {
        /// Reads a mark.
        /// - Parameter value: converts a JSON value; returns nil if it is not valid for the mark.
        func apply<Value>(_ written: Written, _ mark: inout Mark<Value>, _ value: (JSON) -> Value?) {
            if let value = value(written.value) {
                mark = .init(value, changed: written.changed)
            } else if written.value != .null {
                leftOut += 1
            }
        }
        func bool(_ json: JSON) -> Bool? {
            if case .bool(let value) = json { value } else { nil }
        }
        for member in json.members ?? [] {
            let written = Written(member.value)
            switch member.key {
            case "read": apply(written, &read, bool)
            case "starred": apply(written, &starred, bool)
            case "later": apply(written, &later, bool)
            case "hidden": apply(written, &hidden, bool)
            case "place":
                apply(written, &readingPosition) { json in
                    if json == .null { return .some(nil) }
                    guard let position = json.text.flatMap({ Int($0) }), (0...1000).contains(position) else {
                        return nil
                    }
                    return position
                }
            case "note":
                apply(written, &note) { json in
                    if json == .null { return .some(nil) }
                    guard case .string(let note) = json, note.unicodeScalars.count <= MarkError.longestNote else {
                        return nil
                    }
                    return note
                }
            case "tags", "removedTags":
                guard case .array(let elements) = member.value else {
                    if member.value != .null { leftOut += 1 }
                    continue
                }
                for tag in elements.map(Written.init) {
                    if let name = tag.value.text, let own = try? TagName(name) {
                        let mark = Mark(own, changed: tag.changed)
                        if member.key == "tags" { tags.append(mark) } else { removedTags.append(mark) }
                    } else {
                        leftOut += 1
                    }
                }
            default: continue
            }
        }
    }

    /// A value, and the time when it changed, if given.
    private struct Written {
        let value: JSON
        let changed: Date?

        init(_ json: JSON) {
            let members = json.members
            value = members.map { $0.last { $0.key == "value" }?.value ?? .null } ?? json
            changed = members?.last { $0.key == "changed" }?.value.text.flatMap { try? DateParser.date(from: $0) }
        }
    }

    /// A change, and the time when it was made.
    package typealias TimedChange = (change: MarkChange, time: Date)

    /// Returns the changes that bring these marks up to `others`, for each mark that changed later there. Tags are
    /// added up to the limit. If `others` both gives and removes a tag, the later change wins; within the same second,
    /// the tag is given.
    ///
    /// - Parameter now: the time of changes that do not have a time.
    /// - Returns: the changes; the marks with an equal value and a later time; and the number of tags beyond the limit.
    package func changes(
        to others: ArticleMarks, now: Date
    ) -> (changes: [TimedChange], confirmed: [TimedChange], tagsLeftOut: Int) {
        var changes: [TimedChange] = []
        var confirmed: [TimedChange] = []
        func compare<Value: Equatable>(_ own: Mark<Value>, _ other: Mark<Value>, _ change: (Value) -> MarkChange) {
            let time = limited(other.changed)
            // Marks that were never set are ignored. Times have a resolution of one second; if two are equal, the
            // change that was received last wins.
            if other.value != own.value, other != Mark(other.value) || own.changed == nil,
                own.changed.map({ $0 <= time }) ?? true
            {
                changes.append((change(other.value), time))
            } else {
                confirm(own.changed, other.changed, other.value == own.value, change(other.value))
            }
        }
        // Limit times to the present, so that a device with a fast clock cannot override later changes by other
        // devices.
        func limited(_ time: Date?) -> Date { min(time ?? now, now) }
        func confirm(_ own: Date?, _ other: Date?, _ isSame: Bool, _ change: MarkChange) {
            if isSame, other != nil, own ?? .distantPast < limited(other) { confirmed.append((change, limited(other))) }
        }
        compare(read, others.read, MarkChange.read)
        compare(starred, others.starred, MarkChange.starred)
        compare(later, others.later, MarkChange.later)
        compare(hidden, others.hidden, MarkChange.hidden)
        compare(readingPosition, others.readingPosition, MarkChange.readingPosition)
        compare(note, others.note, MarkChange.note)
        let known = tagStates(now: now)
        var (count, leftOut) = (tags.count, 0)
        let said = others.tagStates(now: now).sorted { $0.key.key < $1.key.key }
        // Remove the old tags first, to make room for the new ones.
        for (tag, mark) in said.filter({ !$0.value.value }) + said.filter(\.value.value) {
            let (own, change, time) = (known[tag], MarkChange.tag(tag, mark.value), limited(mark.changed))
            if mark.value == own?.value ?? false {
                if own != nil { confirm(own?.changed, mark.changed, true, change) }
            } else if own?.changed.map({ $0 <= time }) ?? true {
                guard !mark.value || count < MarkError.mostTags else {
                    leftOut += 1
                    continue
                }
                count += mark.value ? 1 : -1
                changes.append((change, time))
            }
        }
        return (changes, confirmed, leftOut)
    }

    /// Returns for each tag whether it was given or removed last. If both happened within a second, the tag counts as
    /// given.
    private func tagStates(now: Date) -> [TagName: Mark<Bool>] {
        let said =
            tags.map { ($0.value, Mark(true, changed: $0.changed)) }
            + removedTags.map { ($0.value, Mark(false, changed: $0.changed)) }
        return Dictionary(said) { $1.changed ?? now > $0.changed ?? now ? $1 : $0 }
    }
}
