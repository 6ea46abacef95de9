import Navigation
import Testing

@Suite("A flow graph")
struct FlowGraphTests {
    private let graph = FlowGraph(
        nodes: [.init(Page("/list/all")), .init(Page("/list/1")), .init(Page("/login/name"))],
        edges: [
            .init("/login/name", "password", "/list/all"),
            .init("/list/all", "chose", "/list/<n>"),
            .init("/list/<n>", "back", "/list/all"),
            .init("/list/<n>", "tapped", "/list/all"),
        ])

    private func navigator() -> Navigator<Page> {
        let list = Script(event: { puppet, event, _ in
            switch event {
            case .chose(let number): puppet.flow.push(Page(stringLiteral: "/list/\(number)"))
            case .tapped: puppet.flow.show(["/login/name"])
            case .password: break
            }
        })
        let login = Script(event: { puppet, _, _ in puppet.flow.show(["/list/all"]) })
        return Navigator(children: [ChildFlow(puppet: "list", list), ChildFlow(puppet: "login", login)])
    }

    @Test("The edges are those that events take, including going back")
    func taken() async throws {
        let navigator = navigator()
        try navigator.perform(.show(["/login/name"]))
        #expect(graph.untaken(by: navigator.journal) == graph.edges)
        navigator.send(.password("x"))
        navigator.send(.chose(7))
        _ = navigator.back()
        #expect(graph.untaken(by: navigator.journal).map(\.event) == ["tapped"])
        #expect(graph.undeclared(in: navigator.journal) == [])
    }

    @Test("An undeclared way is found once")
    func undeclared() async throws {
        let navigator = navigator()
        try navigator.perform(.show(["/list/all"]))
        for _ in 0..<3 {
            navigator.send(.tapped)
            navigator.send(.password("x"))
        }
        #expect(graph.undeclared(in: navigator.journal) == [.init("/list/all", "tapped", "/login/name")])
        #expect(graph.untaken(by: navigator.journal).map(\.event) == ["chose", "back", "tapped"])
    }

    @Test("The graph is drawn in Mermaid, a group for each flow, with safe labels")
    func mermaid() {
        #expect(
            graph.mermaid() == """
                flowchart LR
                    subgraph flow0["list"]
                        n0["/list/all"]
                        n1["/list/#60;n#62;"]
                    end
                    subgraph flow1["login"]
                        n2["/login/name"]
                    end
                    n2 -->|"password"| n0
                    n0 -->|"chose"| n1
                    n1 -->|"back<br/>tapped"| n0

                """)
    }

    @Test("The graph is drawn in DOT, a cluster for each flow, with safe labels")
    func graphviz() {
        #expect(
            graph.graphviz() == """
                digraph {
                    rankdir=LR
                    node [shape=box]
                    subgraph cluster_0 {
                        label="list"
                        n0 [label="/list/all"]
                        n1 [label="/list/<n>"]
                    }
                    subgraph cluster_1 {
                        label="login"
                        n2 [label="/login/name"]
                    }
                    n2 -> n0 [label="password"]
                    n0 -> n1 [label="chose"]
                    n1 -> n0 [label="back\\ntapped"]
                }

                """)
    }

    @Test("A section is drawn around its flows, and a screen without a section outside")
    func sections() {
        let graph = FlowGraph(
            nodes: [
                .init(Page("/list/all"), in: "library"), .init(Page("/login/name")),
                .init(Page("/list/new"), in: "later"), .init(Page("/share/1"), in: "library"),
            ], edges: [.init("/list/all", "chose", "/share/<n>")])
        #expect(
            graph.mermaid() == """
                flowchart LR
                    subgraph section0["library"]
                        subgraph flow0["list"]
                            n0["/list/all"]
                        end
                        subgraph flow3["share"]
                            n3["/share/#60;n#62;"]
                        end
                    end
                    subgraph flow1["login"]
                        n1["/login/name"]
                    end
                    subgraph section1["later"]
                        subgraph flow2["list"]
                            n2["/list/new"]
                        end
                    end
                    n0 -->|"chose"| n3

                """)
        #expect(
            graph.graphviz() == """
                digraph {
                    rankdir=LR
                    node [shape=box]
                    subgraph cluster_section0 {
                        label="library"
                        subgraph cluster_0 {
                            label="list"
                            n0 [label="/list/all"]
                        }
                        subgraph cluster_3 {
                            label="share"
                            n3 [label="/share/<n>"]
                        }
                    }
                    subgraph cluster_1 {
                        label="login"
                        n1 [label="/login/name"]
                    }
                    subgraph cluster_section1 {
                        label="later"
                        subgraph cluster_2 {
                            label="list"
                            n2 [label="/list/new"]
                        }
                    }
                    n0 -> n3 [label="chose"]
                }

                """)
    }

    @Test("A label cannot break out of its quotes, whatever it contains")
    func escaping() {
        let hostile = FlowGraph(
            nodes: [.init(screen: "\"];<b>`#x\\\n", flow: "a\"b")], edges: [.init("\"];<b>`#x\\\n", "é|\"", "stray")])
        #expect(
            hostile.mermaid() == """
                flowchart LR
                    subgraph flow0["a#34;b"]
                        n0["#34;#93;#59;#60;b#62;#96;#35;x#92;#10;"]
                    end
                    n1["stray"]
                    n0 -->|"é#124;#34;"| n1

                """)
        #expect(hostile.graphviz().contains(#"n0 [label="\"];<b>`#x\\\n"]"#))
        #expect(hostile.graphviz().contains(#"label="a\"b""#))
        #expect(hostile.graphviz().contains(#"n0 -> n1 [label="é|\""]"#))
    }

    @Test("An edge may be made of routes and an event, and leads from the first to the second")
    func ofRoutes() {
        #expect(
            FlowGraph.Edge(Page("/list/1"), .chose(7), to: "/list/all") == .init("/list/<n>", "chose", "/list/all"))
        #expect(FlowGraph.Edge.back(Page("/list/1"), to: "/list/all") == .init("/list/<n>", "back", "/list/all"))
    }

    @Test("Ways from one screen to several are an arrow each")
    func severalWays() {
        let graph = FlowGraph(nodes: [], edges: [.init("/a", "x", "/b"), .init("/a", "y", "/c2")])
        #expect(
            graph.mermaid() == """
                flowchart LR
                    n0["/a"]
                    n1["/b"]
                    n2["/c2"]
                    n0 -->|"x"| n1
                    n0 -->|"y"| n2

                """)
        #expect(graph.graphviz().contains("n0 -> n1 [label=\"x\"]\n    n0 -> n2 [label=\"y\"]"))
    }

    @Test("A label in DOT is one line, however its text breaks")
    func lineBreaks() {
        let graph = FlowGraph(nodes: [], edges: [.init("a\rb\nc\r\nd", "x", "e")])
        #expect(graph.graphviz().contains(#"n0 [label="a\nb\nc\nd"]"#))
    }
}
