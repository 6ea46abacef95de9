import Navigation
import Testing

@Suite("A flow")
struct FlowTests {
    @Test("A flow moves as its coordinator requests")
    func moves() async throws {
        let moves: [((Flow<Page, String>) -> Void, String)] = [
            ({ $0.push("/a/4") }, "[/a/1, /a/2, /a/3, /a/4*]"),
            ({ $0.present("/a/4") }, "[/a/1, /a/2, /a/3, (/a/4*]"),
            ({ $0.begin("/a/4") }, "[/a/1, /a/2, /a/3 | /a/4*]"),
            ({ $0.begin("/a/4", modal: true) }, "[/a/1, /a/2, /a/3 | (/a/4*]"),
            ({ $0.replace(with: "/a/4") }, "[/a/1, /a/2, /a/4*]"),
            ({ $0.pop() }, "[/a/1, /a/2*]"),
            ({ $0.pop(2) }, "[/a/1*]"),
            ({ $0.popToRoot() }, "[/a/1*]"),
            (
                {
                    $0.present("/a/4")
                    $0.push("/a/5")
                    $0.dismiss()
                }, "[/a/1, /a/2, /a/3*]"
            ),
            ({ $0.show(["/a/1", "/a/4"]) }, "[/a/1, /a/4*]"),
            ({ $0.show(Target(["/a/1"]).beginning("/a/4")) }, "[/a/1 | /a/4*]"),
        ]
        for (move, picture) in moves {
            let navigator = Navigator<Page>(children: [ChildFlow(puppet: "a")])
            try navigator.perform(.show(["/a/1", "/a/2", "/a/3"]))
            let puppet = try #require(navigator.coordinators.values.first as? Puppet)
            move(puppet.flow)
            navigator.settle()
            #expect(navigator.state.picture == picture)
        }
    }
}
