/// The certificate and key of a server.
public struct TLSIdentity: Sendable {
    /// The certificate and its chain, in PEM.
    let certificate: [UInt8]
    /// The private key, in PEM.
    let key: [UInt8]

    /// Creates an identity from a certificate with its chain, and its private key, both in PEM.
    public init(certificate: [UInt8], key: [UInt8]) {
        self.certificate = certificate
        self.key = key
    }
}
