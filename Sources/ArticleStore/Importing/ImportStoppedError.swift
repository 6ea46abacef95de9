/// The caller has stopped the import.
struct ImportStoppedError: Error {}
