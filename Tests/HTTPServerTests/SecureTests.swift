import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Encrypted connections")
struct SecureTests {
    /// A certificate for a name, and its key.
    private func identity(_ name: String, in folder: TemporaryFolder) async throws -> TLSIdentity {
        let (key, certificate) = (folder.file(name + ".key"), folder.file(name + ".crt"))
        let (status, output) = try await onThread {
            try runProgram([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2",
                "-subj", "/CN=\(name)", "-keyout", key, "-out", certificate,
            ])
        }
        try #require(status == 0, "\(output)")
        return TLSIdentity(
            certificate: Array(try folder.bytes(of: name + ".crt")), key: Array(try folder.bytes(of: name + ".key")))
    }

    /// The result of a client that trusts only one certificate.
    private func ask(
        _ server: HTTPServer, trusting name: String, in folder: TemporaryFolder, _ options: String...
    ) async throws -> String {
        let (port, certificate) = (server.port ?? 0, folder.file(name + ".crt"))
        return try await onThread {
            try runProgram(
                [
                    "openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-quiet", "-CAfile", certificate,
                    "-verify_return_error",
                    "-verify_hostname", name,
                ] + options, input: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            ).output
        }
    }

    @Test("Encrypted connections carry requests, and their handlers see that, until the certificate changes")
    func secure() async throws {
        let folder = try TemporaryFolder()
        let (old, new) = (try await identity("old.example", in: folder), try await identity("new.example", in: folder))
        try await withServer(identity: old, handler: { HTTPResponse(text: "secure: \($0.isSecure)") }) { server in
            let first = try await ask(server, trusting: "old.example", in: folder)
            #expect(first.contains("secure: true"), "\(first)")
            try server.replaceIdentity(new, within: .seconds(1_800))
            let second = try await ask(server, trusting: "new.example", in: folder)
            #expect(second.contains("secure: true"), "\(second)")
            let third = try await ask(server, trusting: "old.example", in: folder)
            #expect(!third.contains("secure: true"))
        }
    }

    @Test("Encrypted connections use TLS 1.2 and 1.3, and nothing older")
    func versions() async throws {
        let folder = try TemporaryFolder()
        let identity = try await identity("a.example", in: folder)
        try await withServer(identity: identity, handler: { HTTPResponse(text: "secure: \($0.isSecure)") }) { server in
            for (version, isSpoken) in [("-tls1", false), ("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)] {
                let answer = try await ask(
                    server, trusting: "a.example", in: folder, version, "-cipher", "DEFAULT@SECLEVEL=0")
                #expect(answer.contains("secure: true") == isSpoken, "\(version): \(answer)")
            }
        }
    }

    @Test("An invalid certificate is refused, and does not disturb existing connections")
    func badCertificate() async throws {
        let folder = try TemporaryFolder()
        let (one, two) = (try await identity("one.example", in: folder), try await identity("two.example", in: folder))
        let mixed = TLSIdentity(
            certificate: Array(try folder.bytes(of: "one.example.crt")),
            key: Array(try folder.bytes(of: "two.example.key")))
        _ = two
        for bad in [
            mixed, TLSIdentity(certificate: [], key: []), TLSIdentity(certificate: [0, 1, 2], key: Array("x".utf8)),
        ] {
            #expect(throws: HTTPServerError.badCertificate) {
                try HTTPServer(on: .internet(host: "127.0.0.1", port: 0), identity: bad) { _ in HTTPResponse() }
            }
        }
        try await withServer(identity: one) { server in
            #expect(throws: HTTPServerError.badCertificate) { try server.replaceIdentity(mixed, within: .zero) }
            let answer = try await ask(server, trusting: "one.example", in: folder)
            #expect(answer.contains("hello"))
        }
    }

    @Test("A connection without a valid handshake ends")
    func noHandshake() async throws {
        let folder = try TemporaryFolder()
        var limits = HTTPLimits.patient
        limits.headTime = .milliseconds(200)
        let identity = try await identity("one.example", in: folder)
        try await withServer(limits: limits, identity: identity) { server in
            for text in ["", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"] {
                let client = try RawClient(port: server.port)
                client.send(text)
                let rest = try await client.rest()
                #expect(!rest.contains("HTTP"))
            }
        }
    }
}
