// Exports the part of Foundation that loads fast: dates, data, and URLs. On platforms without this module, it exports
// all of Foundation.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
