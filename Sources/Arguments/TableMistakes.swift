extension CommandSpec {
    /// Returns the programmer's mistakes in this specification and its subcommands, one sentence each. A test checks
    /// that the result is empty.
    package func mistakes() -> [String] {
        mistakes(below: [], inherited: [])
    }

    private func mistakes(below path: [String], inherited: [OptionSpec]) -> [String] {
        let path = path + [name]
        let command = path.joined(separator: " ")
        var found: [String] = []
        func expect(_ condition: Bool, _ mistake: String) {
            if !condition { found.append("\(command): \(mistake)") }
        }

        for name in [name] + aliases + options.map(\.name) {
            expect(name.isPlainName, "'\(name)' is not made of a-z, 0-9 and inner hyphens")
        }
        for (what, summary) in summaries {
            expect(!summary.isEmpty, "\(what) has no summary")
            expect(
                !summary.contains("\n") && !summary.hasSuffix("."),
                "the summary of \(what) is not one line without a full stop")
        }
        for option in options {
            expect(
                !["help", "version"].contains(option.name) && option.short != "h" && option.short != "V",
                "\(option.spelling) is built in")
            expect(option.value?.isEmpty != true, "\(option.spelling) has a value without a name")
            expect(option.value != nil || !option.isValueOptional, "\(option.spelling) is a flag without a value")
            expect(option.value != nil || option.values == .any, "\(option.spelling) is a flag with values")
            expect(
                option.short?.isLetter != false && option.short?.isASCII != false,
                "\(option.spelling) has no letter for its short name")
            expect(option.value != nil || option.defaultValue == nil, "\(option.spelling) is a flag with a default")
            if case .choices(let choices) = option.values, let value = option.defaultValue {
                expect(choices.contains(value), "the default of \(option.spelling) is none of its choices")
            }
        }
        for values in options.map(\.values) + arguments.map(\.values) {
            guard case .choices(let choices) = values else { continue }
            expect(!choices.isEmpty, "an empty list of choices")
            expect(choices.allSatisfy(\.isPlainName), "a choice is not made of a-z, 0-9 and inner hyphens")
        }
        let visible = inherited.filter { option in !options.contains { $0.widens(option) } } + options
        for name in (visible.map(\.spelling) + visible.compactMap(\.short).map { "-\($0)" }).repeated {
            found.append("\(command): \(name) is there twice")
        }
        for name in subcommands.flatMap({ [$0.name] + $0.aliases }).repeated + arguments.map(\.name).repeated {
            found.append("\(command): \(name) is there twice")
        }
        expect(!needsSubcommand || !subcommands.isEmpty, "needs a subcommand and has none")
        expect(arguments.dropLast().allSatisfy { !$0.isRepeating }, "only the last argument can repeat")
        expect(
            zip(arguments, arguments.dropFirst()).allSatisfy { $0.isRequired || !$1.isRequired },
            "a required argument follows an optional one"
        )
        return found + subcommands.flatMap { $0.mistakes(below: path, inherited: visible) }
    }

    private var summaries: [(String, String)] {
        [("the command", summary)] + arguments.map { ($0.name, $0.summary) } + options.map { ($0.spelling, $0.summary) }
            + examples.map { ($0.command, $0.summary) }
            + (exitCodes + environment + files + sections.flatMap(\.definitions)).map { ($0.term, $0.summary) }
    }
}

extension String {
    fileprivate var isPlainName: Bool {
        !isEmpty && !hasPrefix("-") && !hasSuffix("-")
            && utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}

extension [String] {
    fileprivate var repeated: [String] {
        var seen: Set<String> = []
        return filter { !seen.insert($0).inserted }
    }
}
