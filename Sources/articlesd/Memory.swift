import CPlatform

/// Lets the allocator keep what was freed: each answer needs as much again, and to give pages back to the system and fault them
/// in anew takes longer than to make the answer.
func keepFreedMemory() { platform_keep_freed_memory() }
