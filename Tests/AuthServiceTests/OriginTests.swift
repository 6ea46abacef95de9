import AuthService
import Testing

@Suite("Origin")
struct OriginTests {
    @Test(
        "The origin of an address is the part that is costly to change",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::1", "2001:db8:1:3::/64"), ("::1", "0:0:0:0::/64"), ("fe80::1%eth0", "fe80::1%eth0"),
            ("", ""), ("elsewhere", "elsewhere"),
        ])
    func addresses(address: String, text: String) {
        #expect(Origin(address: address).text == text)
    }

    @Test("An IPv6 address is in a network of 64 bits and a site of 48 bits, and other origins are in none")
    func networks() {
        #expect(
            Origin(address: "2001:db8:1:2::1").networks.map(\.text) == ["2001:db8:1:2::/64", "2001:db8:1::/48"])
        for text in ["192.0.2.7", "local:1000", "::/64", "a:b::/64"] {
            #expect(Origin(text).networks == [Origin(text)])
        }
    }

    @Test("An origin may have any name, and its first 200 characters are stored")
    func length() {
        #expect(Origin("local:1000").text == "local:1000")
        #expect(Origin(String(repeating: "é", count: 5_000_000)).text == String(repeating: "é", count: 200))
        #expect(Origin(address: String(repeating: "1", count: 5_000_000)).text.count == 200)
    }
}
