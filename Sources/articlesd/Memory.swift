import CPlatform

/// Tells the allocator to keep freed memory. Each response needs the same amount again, and returning pages to the
/// system and faulting them in again takes longer than making the response.
func keepFreedMemory() { platform_keep_freed_memory() }
