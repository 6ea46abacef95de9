/// The reason why a record is rejected, before its file is known.
struct RecordError: Error, Hashable {
    /// The line in the file, from 1; nil if it is the whole record.
    var line: Int?
    let reason: String

    init(line: Int? = nil, _ reason: String) {
        self.line = line
        self.reason = reason
    }
}
