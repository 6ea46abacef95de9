/// Takes its time, and not the main actor's: nothing boils until it is lit.
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
