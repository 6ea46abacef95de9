package import Essentials
package import Text

extension ArticleMarks {
    /// What a program is told of them, and reads back: each mark as an object with its `value` and the time when it `changed`.
    package var json: JSON {
        func mark(_ value: JSON, _ changed: Date?) -> JSON {
            ["value": value, "changed": JSON(changed.map { RFC3339.string(from: $0) })]
        }
        return [
            "read": mark(.bool(read.value), read.changed), "starred": mark(.bool(starred.value), starred.changed),
            "later": mark(.bool(later.value), later.changed),
            "place": mark(place.value.map { JSON($0) } ?? .null, place.changed),
            "note": mark(JSON(note.value), note.changed),
            "tags": .array(tags.map { mark(.string($0.value.name), $0.changed) }),
        ]
    }

    /// Reads what ``json`` is, or what somebody writes by hand: a value may stand there without its time. What cannot be a mark is
    /// none.
    package init(_ json: JSON) {
        for member in json.members ?? [] {
            let mark = Written(member.value)
            switch member.key {
            case "read": if case .bool(let value) = mark.value { read = .init(value, changed: mark.changed) }
            case "starred": if case .bool(let value) = mark.value { starred = .init(value, changed: mark.changed) }
            case "later": if case .bool(let value) = mark.value { later = .init(value, changed: mark.changed) }
            case "place":
                let value = mark.value.text.flatMap { Int($0) }
                if value.map({ (0...1000).contains($0) }) ?? true { place = .init(value, changed: mark.changed) }
            case "note":
                let value = mark.value.text
                if value.map({ $0.unicodeScalars.count <= MarkError.longestNote }) ?? true {
                    note = .init(value, changed: mark.changed)
                }
            case "tags":
                guard case .array(let elements) = member.value else { continue }
                for tag in elements.map(Written.init) {
                    guard let name = tag.value.text, let own = try? OwnTag(name) else { continue }
                    tags.append(.init(own, changed: tag.changed))
                }
            default: continue
            }
        }
    }

    /// A value, and when it changed where that is said.
    private struct Written {
        let value: JSON
        let changed: Date?

        init(_ json: JSON) {
            let members = json.members
            value = members.map { $0.last { $0.key == "value" }?.value ?? .null } ?? json
            changed = members?.last { $0.key == "changed" }?.value.text.flatMap { try? DateParser.date(from: $0) }
        }
    }

    /// What has to be done for these to be as others are, mark by mark, where the others changed later. Tags are added.
    ///
    /// - Parameter now: when marks changed that do not say it.
    package func changes(to others: ArticleMarks, now: Date) -> [(change: MarkChange, time: Date)] {
        var changes: [(MarkChange, Date)] = []
        func take<Value>(_ own: Mark<Value>, _ other: Mark<Value>, _ change: (Value) -> MarkChange) {
            let time = other.changed ?? now
            // What nobody said anything of is no mark.
            if other.value != own.value, other != Mark(other.value) || own.changed == nil,
                own.changed.map({ $0 < time }) ?? true
            {
                changes.append((change(other.value), time))
            }
        }
        take(read, others.read, MarkChange.read)
        take(starred, others.starred, MarkChange.starred)
        take(later, others.later, MarkChange.later)
        take(place, others.place, MarkChange.place)
        take(note, others.note, MarkChange.note)
        for tag in others.tags where !tags.contains(where: { $0.value == tag.value }) {
            changes.append((.tag(tag.value, true), tag.changed ?? now))
        }
        return changes
    }
}
