// What of Foundation starts fast: dates, data, URLs. All of Foundation where its essentials are no module of their own.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
