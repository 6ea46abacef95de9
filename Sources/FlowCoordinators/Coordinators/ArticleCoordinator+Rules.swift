internal import ArticleStore
internal import Navigation

/// The screens of the user's rules.
extension ArticleCoordinator {
    func saveRule(_ answers: Answers, of rule: String?) {
        let (articles, draft) = (environment.articles, RuleDraft(rule: rule, answers))
        runOnRule(.noting) { marking in
            let new = try await draft.rule(in: articles)
            let old: Rule? = if let rule { try await marking.rule(named: rule) } else { nil }
            try await marking.save(new, changing: old)
            return Notice("Saved the rule “\(new.name.name)”. It applies to the articles that arrive from now on.")
        } then: { [self] notice, route in
            closeRule(route, saying: notice)
        }
    }

    func removeRule(_ name: String) {
        runOnRule(.noting) { marking in
            try await marking.removeRule(name)
            return Notice("Removed the rule “\(name)”. Its marks stay.")
        } then: { [self] notice, route in
            closeRule(route, saying: notice)
        }
    }

    /// Tries the condition in a form, and shows the result with the answers in the form.
    func tryRule(_ answers: Answers, of rule: String?) {
        let (articles, now) = (environment.articles, environment.clock())
        let draft = RuleDraft(rule: rule, answers)
        runOnRule(.ruleTrial) { _ in
            // The path of the form contains the answers, so invalid ones, which may be long, are refused here.
            _ = try draft.texts[.name].map { _ in try draft.name }
            _ = try draft.actions
            guard AppRoute.savingRule(draft).path.utf8.count <= RuleDraft.longestPath else { throw RuleError.longForm }
            return try await articles.trial(of: try await draft.condition(in: articles), now: now)
        } then: { [flow, environment] trial, route in
            environment.show(Notice(trial))
            guard case .savingRule = route else { return }
            var tried = draft
            tried.hasMetArticles = !trial.met.isEmpty
            flow.replace(with: .savingRule(tried))
        }
    }

    /// Closes the form. The user may have gone back in the meantime.
    private func closeRule(_ route: AppRoute, saying notice: Notice) {
        environment.show(notice)
        if case .savingRule = route { flow.pop() }
    }

    /// Runs work for the form of a rule, and shows an error at its field.
    private func runOnRule<Value: Sendable>(
        _ activity: Activity, _ work: @escaping @Sendable (ArticleMarker) async throws -> Value,
        then completion: @escaping (Value, AppRoute) -> Void
    ) {
        guard let marking = environment.marking else { return environment.show(Notice(ScreenError.noMarks)) }
        environment.run(activity, in: flow) {
            try await work(marking)
        } then: { [environment] result, route in
            switch result {
            case .success(let value): completion(value, route)
            case .failure(let error): environment.show(Notice(ofRule: error))
            }
        }
    }

    /// The list of rules, the form of one, or the articles that one meets.
    func ruleScreen(for route: AppRoute) async throws -> Screen {
        guard let marking = environment.marking else { throw ScreenError.noMarks }
        let articles = environment.articles
        switch route {
        case .rules:
            return .rules(
                try await marking.rules(), of: try await articles.sources(), mayChange: environment.writingUser != nil)
        case .savingRule(let draft):
            guard let name = draft.rule, draft.texts.isEmpty else { return .savingRule(draft) }
            let rule = try await marking.rule(named: name)
            return .savingRule(RuleDraft(rule, source: rule.condition.sourceName(among: try await articles.sources())))
        case .ruleTrial(let draft):
            do {
                return .ruleTrial(
                    try await articles.trial(
                        of: try await draft.condition(in: articles), now: environment.clock()))
            } catch  where error is RuleError || error is SourceError {
                // The path may have been typed.
                var screen = Screen.ruleTrial(RuleTrial())
                screen.notice = Notice(error)
                return screen
            }
        default: throw ScreenError.misplaced(route)
        }
    }
}
