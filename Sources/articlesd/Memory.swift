import CPlatform

/// Lets the allocator keep what was freed: each answer needs as much again, and to give pages back to the system and fault them
/// in again takes longer than making the response.
func keepFreedMemory() { platform_keep_freed_memory() }
