import Platform
import Testing

@Suite("Entries of a folder")
struct FolderEntryTests {
    @Test("Only the name is read, and nothing after the entry, which may end at unmapped memory")
    func lastEntry() throws {
        let page = sysconf(Int32(_SC_PAGESIZE))
        let pages = try #require(mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        try #require(pages != MAP_FAILED)
        defer { munmap(pages, 2 * page) }
        try #require(mprotect(pages + page, page, PROT_NONE) == 0)
        let start = try #require(MemoryLayout<dirent>.offset(of: \.d_name))
        let name = Array("1356".utf8CString)
        // The length of an entry is a multiple of 8, as `readdir` fills its buffer.
        let entry = pages + page - (start + name.count + 7) / 8 * 8
        (entry + start).copyMemory(from: name, byteCount: name.count)
        #expect(UnsafePointer(entry.assumingMemoryBound(to: dirent.self)).name == name)
    }
}
