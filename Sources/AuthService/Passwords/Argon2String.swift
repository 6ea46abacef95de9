internal import CSodium

/// A parsed Argon2id string of libsodium: version 19, one lane, a salt of 16 bytes, a digest of 32 bytes. Source: the
/// PHC string format, <https://github.com/P-H-C/phc-string-format>.
struct Argon2String {
    /// The memory in KiB.
    let memory: Int
    let passes: Int
    let salt: [UInt8]
    let digest: [UInt8]

    /// Nil if the string is damaged, or libsodium does not support its parameters.
    init?(_ hash: PasswordHash) {
        let parts = hash.encoded.utf8.prefix(Int(crypto_pwhash_STRBYTES)).split(
            separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty, parts[1].elementsEqual("argon2id".utf8),
            parts[2].elementsEqual("v=19".utf8)
        else { return nil }
        let costs = parts[3].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard costs.count == 3, costs[2].elementsEqual("p=1".utf8),
            let memory = Self.number("m=", costs[0]), let passes = Self.number("t=", costs[1]),
            (crypto_pwhash_memlimit_min() >> 10...crypto_pwhash_memlimit_max() >> 10).contains(memory),
            (crypto_pwhash_opslimit_min()...crypto_pwhash_opslimit_max()).contains(passes),
            let salt = Sodium.decodedBase64(parts[4], count: Int(crypto_pwhash_SALTBYTES), variant: Self.variant),
            let digest = Sodium.decodedBase64(parts[5], count: Self.digestBytes, variant: Self.variant)
        else { return nil }
        self.memory = memory
        self.passes = passes
        self.salt = salt
        self.digest = digest
    }

    /// Creates parameters for a dummy hash that costs `work` KiB of memory passes, or slightly less; nil if `work` is
    /// too small.
    init?(working work: Int, passes: Int) {
        memory = work / passes
        guard memory >= crypto_pwhash_memlimit_min() >> 10 else { return nil }
        self.passes = passes
        salt = [UInt8](repeating: 0, count: Int(crypto_pwhash_SALTBYTES))
        digest = []
    }

    /// The cost of a hash with these parameters: memory in KiB times passes.
    var work: Int { memory * passes }

    /// Returns the digest of `password` with these parameters and this salt; nil if there is not enough memory, the
    /// only possible error.
    func digest(of password: Password) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: Self.digestBytes)
        let status = password.withCharacters { start, count in
            crypto_pwhash(
                &digest, UInt64(digest.count), start, UInt64(count), salt, UInt64(passes), memory << 10,
                crypto_pwhash_ALG_ARGON2ID13)
        }
        return status == 0 ? digest : nil
    }

    private static let digestBytes = 32
    private static let variant = Int32(sodium_base64_VARIANT_ORIGINAL_NO_PADDING)

    private static func number(_ name: String, _ text: Substring.UTF8View.SubSequence) -> Int? {
        guard text.starts(with: name.utf8) else { return nil }
        let digits = text.dropFirst(name.utf8.count)
        guard digits.count <= 10, digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return nil
        }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
