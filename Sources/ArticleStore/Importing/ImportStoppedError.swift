/// Reading was stopped by whoever asked for it.
struct ImportStoppedError: Error {}
