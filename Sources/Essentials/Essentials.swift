// The part of Foundation that loads fast: dates, data, URLs. On platforms without this module, all of Foundation.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
