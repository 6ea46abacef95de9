import CPlatform

/// Excludes the memory of this process, which contains passwords and tokens, from core dumps, and protects it from
/// other processes of the same user. It works only on Linux, and does not affect programs that this one starts.
public func hideMemory() { platform_hide_memory() }
