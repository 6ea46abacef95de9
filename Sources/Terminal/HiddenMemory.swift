import CPlatform

/// Keeps the memory of this process, which holds passwords and tokens, out of core dumps, and other processes of its user
/// from reading it; on Linux alone. Programs that it starts are not concerned.
public func hideMemory() { platform_hide_memory() }
