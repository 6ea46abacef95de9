#if os(Linux)
    import Glibc

    /// The writable memory of a process.
    public struct ProcessMemory {
        /// The process ID, or `self`.
        private let process: String

        /// Opens the memory of the process with this ID, or of this process.
        public init(of process: String = "self") { self.process = process }

        /// Returns whether the readable memory contains the bytes. The search does not find its own buffers:
        /// `hidden` has the bytes, each XORed with `mask`.
        public func holds(_ hidden: [UInt8], masked mask: UInt8) throws -> Bool {
            let (size, length) = (1 << 20, hidden.count)
            let pieces = UnsafeMutableRawPointer.allocate(byteCount: size + length, alignment: 4_096)
            defer {
                memset(pieces, 0, size + length)
                pieces.deallocate()
            }
            let wanted = pieces + size
            UnsafeMutableRawBufferPointer(start: wanted, count: length).copyBytes(from: hidden.lazy.map { $0 ^ mask })
            let first = Int32(wanted.load(as: UInt8.self))
            let own = UInt(bitPattern: pieces)..<UInt(bitPattern: pieces + size + length)
            let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
            guard memory >= 0 else { throw Errno(call: "open") }
            defer { close(memory) }
            for range in try writable() {
                var address = range.lowerBound
                while address < range.upperBound {
                    let count = pread(memory, pieces, min(size, Int(range.upperBound - address)), off_t(address))
                    // The next piece begins before the end of this one, because a match may cross it; an unreadable
                    // page is skipped.
                    defer { address += UInt(count == size ? size - length : max(count, 4_096)) }
                    var offset = 0
                    while count - offset >= length,
                        let hit = memchr(pieces + offset, first, count - offset - length + 1)
                    {
                        offset = hit - pieces + 1
                        let isOwn = process == "self" && own.contains(address + UInt(offset - 1))
                        if memcmp(hit, wanted, length) == 0, !isOwn { return true }
                    }
                }
            }
            return false
        }

        /// The writable ranges. The kernel returns the list in pieces that are shorter than requested, which Foundation
        /// considers its end.
        private func writable() throws -> [Range<UInt>] {
            guard let list = fopen("/proc/\(process)/maps", "re") else { throw Errno(call: "fopen") }
            defer { fclose(list) }
            var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
            defer { free(line) }
            var ranges: [Range<UInt>] = []
            while getline(&line, &capacity, list) > 0, let text = line {
                let parts = String(cString: text).split(separator: " ")
                guard parts.count > 1, parts[1].hasPrefix("rw") else { continue }
                let ends = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                ranges.append(ends[0]..<ends[1])
            }
            return ranges
        }

        /// The error of a system call.
        private struct Errno: Error {
            let call: String
            let code = errno
        }
    }
#endif
