import GoogleReader
import Testing

struct GoogleReaderTests {}
