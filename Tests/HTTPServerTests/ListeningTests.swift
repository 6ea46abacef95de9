import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Listening")
struct ListeningTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    static let hello: @Sendable (HTTPRequest) async -> HTTPResponse = { HTTPResponse(text: "\($0.peer == .local)") }

    @Test("A Unix socket has the requested mode, and is removed at the end")
    func unixSocket() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("http")
        for _ in 0..<2 {
            let server = try HTTPServer(on: .local(path: path, mode: 0o620), handler: Self.hello)
            #expect(try folder.mode(of: "http") == 0o620)
            #expect(server.port == nil)
            let answer = try await RawClient(path: path).ask(Self.get)
            #expect(answer.body == "true")
            #expect(throws: HTTPServerError.addressInUse(path)) {
                try HTTPServer(on: .local(path: path, mode: 0o600), handler: Self.hello)
            }
            await server.stop(within: .seconds(1_800))
            #expect(try folder.names == [])
        }
    }

    @Test("The Unix socket of a killed server is replaced")
    func leftSocket() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("http")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(code == 0)
        close(descriptor)
        let server = try HTTPServer(on: .local(path: path, mode: 0o600), handler: Self.hello)
        let answer = try await RawClient(path: path).ask(Self.get)
        #expect(answer.status == 200)
        await server.stop(within: .zero)
    }

    @Test("A file of somebody else is not replaced")
    func foreignFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("http", "mine")
        #expect(throws: HTTPServerError.notSocket(path)) {
            try HTTPServer(on: .local(path: path, mode: 0o600), handler: Self.hello)
        }
        #expect(try folder.bytes(of: "http") == Data("mine".utf8))
    }

    @Test("An inherited descriptor is used")
    func descriptor() async throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #expect(listen(descriptor, 8) == 0)
        let server = try HTTPServer(on: .descriptor(descriptor), handler: Self.hello)
        #expect(server.address == .internet(host: "0.0.0.0", port: try #require(server.port)))
        let answer = try await RawClient(port: server.port).ask(Self.get)
        #expect(answer.body == "false")
        await server.stop(within: .seconds(1_800))
        let other = open("/dev/null", O_RDONLY)
        defer { close(other) }
        #expect(throws: HTTPServerError.notListening(other)) {
            try HTTPServer(on: .descriptor(other), handler: Self.hello)
        }
    }

    @Test("An inherited Unix socket has its path", arguments: ["http", "@articlesctl"])
    func localDescriptor(name: String) async throws {
        let folder = try TemporaryFolder()
        let path = name.hasPrefix("@") ? name + folder.path : folder.file(name)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.utf8.enumerated().map { $0 == 0 && $1 == UInt8(ascii: "@") ? 0 : $1 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout.size(ofValue: address.sun_family) + bytes.count)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        #expect(code == 0 && listen(descriptor, 8) == 0)
        let server = try HTTPServer(on: .descriptor(descriptor), handler: Self.hello)
        #expect(server.address.description == path)
        await server.stop(within: .zero)
    }

    @Test("An address that is in use or invalid is reported")
    func taken() async throws {
        try await withServer { server in
            let address = ListenAddress.internet(host: "127.0.0.1", port: server.port ?? 0)
            let error = #expect(throws: HTTPServerError.self) { try HTTPServer(on: address, handler: Self.hello) }
            #expect(error == .addressInUse(address.description))
        }
        for address in [
            ListenAddress.internet(host: "localhost", port: 0), .internet(host: "127.0.0.1", port: 70000),
            .internet(host: "192.0.2.1", port: 0), .local(path: "/nowhere/at/all", mode: 0o600),
            .local(path: "/tmp/" + String(repeating: "x", count: 110), mode: 0o600),
        ] {
            #expect(throws: HTTPServerError.badAddress(address.description)) {
                try HTTPServer(on: address, handler: Self.hello)
            }
        }
    }

    @Test("IPv6 addresses are supported")
    func version6() async throws {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        // A machine may lack an IPv6 address.
        guard descriptor >= 0 else { return }
        close(descriptor)
        let server = try HTTPServer(on: .internet(host: "::", port: 0)) { HTTPResponse(text: $0.peer.description) }
        let answer = try await RawClient(port: server.port).ask(Self.get)
        #expect(answer.body.hasPrefix("127.0.0.1:"))
        await server.stop(within: .zero)
    }

    @Test("Clients are counted by address, and those of IPv6 by network")
    func origins() {
        #expect(PeerAddress.internet(host: "192.0.2.7", port: 1).origin == "192.0.2.7")
        #expect(PeerAddress.internet(host: "2001:db8:1:2:3:4:5:6", port: 1).origin == "2001:db8:1:2::/64")
        #expect(PeerAddress.local.origin == nil)
    }
}
