/// Why one record is rejected, before it is known whose it is.
struct RecordError: Error, Hashable {
    /// The line in the file, from 1; nil where it is the record as a whole.
    var line: Int?
    let reason: String

    init(line: Int? = nil, _ reason: String) {
        self.line = line
        self.reason = reason
    }
}
