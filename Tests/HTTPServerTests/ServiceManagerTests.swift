import Foundation
import HTTPServer
import Platform
import TestSupport
import Testing

@Suite("The service manager")
struct ServiceManagerTests {
    @Test("The journal is used if it is the open file that the manager names")
    func journal() throws {
        let folder = try TemporaryFolder()
        let opened = open(try folder.write("stream", ""), O_RDONLY)
        let other = open("/dev/null", O_RDONLY)
        defer { for descriptor in [opened, other] { close(descriptor) } }
        var status = stat()
        #expect(fstat(opened, &status) == 0)
        let manager = ServiceManager(environment: ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"])
        #expect(manager.keepsJournal(of: opened) && !manager.keepsJournal(of: other) && !manager.keepsJournal(of: -1))
        #expect(!ServiceManager(environment: [:]).keepsJournal(of: opened))
    }

    @Test("Sockets are passed with their names, to the right program only")
    func sockets() {
        let manager = ServiceManager(environment: [
            "LISTEN_PID": "42", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "web::admin",
        ])
        #expect(manager.sockets(processID: 42).map(\.name) == ["web", "unknown", "admin"])
        #expect(manager.sockets(processID: 42).map(\.descriptor) == [3, 4, 5])
        #expect(manager.sockets(processID: 43).isEmpty)
        for count in ["", "x", "-1", "0", "99999999999", "2000"] {
            #expect(
                ServiceManager(environment: ["LISTEN_PID": "1", "LISTEN_FDS": count]).sockets(processID: 1).isEmpty)
        }
        #expect(ServiceManager(environment: [:]).sockets(processID: 1).isEmpty)
    }

    @Test(
        "The service manager receives the state",
        arguments: [
            (ServiceManager.State.ready, "READY=1"), (.reloading(since: 7), "RELOADING=1\nMONOTONIC_USEC=7"),
            (.stopping, "STOPPING=1"), (.alive, "WATCHDOG=1"),
            (.status("3 requests\nREADY=1"), "STATUS=3 requests READY=1"),
        ])
    func notify(state: ServiceManager.State, message: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("notify")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(code == 0)
        #expect(try ServiceManager(environment: ["NOTIFY_SOCKET": path]).notify(state))
        var buffer = [UInt8](repeating: 0, count: 200)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == message)
    }

    @Test("Without a service manager nothing is sent, and a missing one is an error")
    func nobody() throws {
        #expect(try !ServiceManager(environment: [:]).notify(.ready))
        #expect(throws: SystemError.self) {
            try ServiceManager(environment: ["NOTIFY_SOCKET": "/nowhere/at/all"]).notify(.ready)
        }
    }
}
