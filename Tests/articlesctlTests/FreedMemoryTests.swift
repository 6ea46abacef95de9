#if os(Linux)
    import Glibc
    import Testing

    @Suite("What a program frees")
    struct FreedMemoryTests {
        /// What lies at an address, whoever it belongs to by now.
        private func bytes(at address: UInt, count: Int) throws -> [UInt8] {
            let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
            try #require(memory >= 0)
            defer { close(memory) }
            var bytes = [UInt8](repeating: 0, count: count)
            try #require(pread(memory, &bytes, count, off_t(address)) == count)
            return bytes
        }

        @Test("is overwritten, and so is what a block that grows leaves behind", arguments: [false, true])
        func overwritten(grows: Bool) throws {
            let block = try #require(malloc(1_000))
            memset(block, 0x41, 1_000)
            let address = UInt(bitPattern: block)
            if grows {
                let moved = try #require(realloc(block, 100_000))
                #expect(moved.load(fromByteOffset: 999, as: UInt8.self) == 0x41)
                try #require(UInt(bitPattern: moved) != address)
                defer { free(moved) }
                #expect(try !bytes(at: address + 16, count: 984).contains(0x41))
            } else {
                free(block)
                // The allocator keeps its own lists at the beginning.
                #expect(try !bytes(at: address + 16, count: 984).contains(0x41))
            }
        }
    }
#endif
