/// Does slow work outside the main actor. Water boils only after the stove was lit.
actor Stove {
    private var isLit = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func light() {
        isLit = true
        for kettle in waiting { kettle.resume() }
        waiting = []
    }

    func boil(cups: Int) async -> Int {
        if !isLit { await withCheckedContinuation { waiting.append($0) } }
        return cups
    }
}
