import Text

extension ArticleWriter {
    /// The source of that name, which is made where there is none.
    public func source(_ facts: SourceFacts) throws -> Source {
        try source(named: facts.name) ?? insert(facts, uid: nil)
    }

    /// The source of a name, without regard to case; nil where there is none.
    public func source(named name: String) throws -> Source? {
        let key = FoldedKey.fold(name)
        return try sources().first { FoldedKey.fold($0.name) == key }
    }
}
