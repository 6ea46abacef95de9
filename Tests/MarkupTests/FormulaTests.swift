import Markup
import Testing

@Suite("Formulas of a page")
struct FormulaTests {
    @Test(
        "A formula keeps its meaning as text",
        arguments: [
            ("<math alttext='10^{6}'><msup><mn>10</mn><mn>6</mn></msup></math>", "10^{6}"),
            ("<math alttext='{\\displaystyle  x}'><mi>x</mi></math>", "x"),
            (
                "<math><semantics><msup><mi>e</mi><mi>x</mi></msup><annotation encoding='application/x-tex'>e^x</annotation></semantics></math>",
                "e^x"
            ),
            ("<math><msup><mn>10</mn><mn>6</mn></msup></math>", "10^6"),
            ("<math><msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup></math>", "x^(n+1)"),
            ("<math><msup><mi>f</mi><mo>′</mo></msup></math>", "f′"),
            ("<math><msub><mi>x</mi><mn>1</mn></msub></math>", "x_1"),
            ("<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>", "x_1^2"),
            ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "1/2"),
            (
                "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mfrac><mn>1</mn><mn>2</mn></mfrac></mfrac></math>",
                "(a+b)/(1/2)"
            ),
            ("<math><mo>(</mo><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></math>", "(n choose k)"),
            ("<math><msqrt><mn>2</mn></msqrt></math>", "√2"),
            ("<math><msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt></math>", "√(a+b)"),
            ("<math><mroot><mi>x</mi><mn>3</mn></mroot></math>", "√[3]x"),
            (
                "<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><mi>i</mi></math>",
                "∑_(i=0)^ni"
            ),
            ("<math><mover><mi>x</mi><mo>¯</mo></mover></math>", "x\u{304}"),
            ("<math><mfenced open='[' close=']'><mi>a</mi><mi>b</mi></mfenced></math>", "[a,b]"),
            (
                "<math><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>]</mo></math>",
                "[1, 2; 3, 4]"
            ),
            (
                "<math><mmultiscripts><mi>U</mi><mprescripts/><mn>92</mn><mn>238</mn></mmultiscripts></math>",
                "_92^238U"
            ),
            ("<math><mi>a</mi><mtext>if</mtext><mi>b</mi></math>", "a if b"),
            ("<m:math><m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup></m:math>", "x^2"),
            // Wikipedia
            (
                "<span><span style='display: none;'><math alttext='{\\displaystyle x^{2}}'><mi>x</mi></math></span><img src=https://w.example/m.svg aria-hidden=true alt='{\\displaystyle x^{2}}'></span>",
                "x^{2}"
            ),
            // KaTeX
            (
                "<span class=katex><span class=katex-mathml><math><semantics><mrow><mi>e</mi></mrow><annotation encoding='application/x-tex'>e^x</annotation></semantics></math></span><span class=katex-html aria-hidden=true>ex</span></span>",
                "e^x"
            ),
            // MathJax 3, MathJax 2, and a text before MathJax has run
            (
                "<mjx-container><mjx-math aria-hidden=true>x2</mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container>",
                "x^2"
            ),
            (
                "<span class=MathJax_Preview></span><span class=MathJax><nobr>x2</nobr></span><script type='math/tex'>x^2</script>",
                "x^2"
            ),
            ("<script type='math/tex; mode=display'>a_1 < b</script>", "a_1 < b"),
        ])
    func meaning(html: String, text: String) {
        #expect(MarkupDocument(html: "<p>P \(html) m</p>").blocks == [.paragraph([.text("P \(text) m")])])
    }

    /// Formulas as KaTeX and MathJax draw them, and their texts.
    private static let drawings: [(String, String)] = [
        // KaTeX without attributes, as sanitizers leave it
        (
            "<span class=katex><span class=katex-mathml><math><semantics><mi>e</mi><annotation encoding='application/x-tex'>e^x</annotation></semantics></math></span><span class=katex-html>ex</span></span>",
            "e^x"
        ),
        // KaTeX without MathML: e^x, x_1, x_1^{10}, a half, a root
        (katex("<span class=mord>e</span>" + scripts("vlist-t", "x")), "e^x"),
        (katex("<span class=mord>x</span>" + scripts("'vlist-t vlist-t2'", "1")), "x_1"),
        (katex("<span class=mord>x</span>" + scripts("'vlist-t vlist-t2'", "1", "10")), "x_1^10"),
        (
            katex(
                "<span class=mord><span class='mopen nulldelimiter'></span><span class=mfrac><span class='vlist-t vlist-t2'><span class=vlist-r><span class=vlist>\(item("2"))<span><span class=pstrut></span><span class=frac-line></span></span>\(item("a+b"))</span></span></span></span></span>"
            ), "(a+b)/2"
        ),
        (
            katex(
                "<span class='mord sqrt'><span class='vlist-t vlist-t2'><span class=vlist-r><span class=vlist>\(item("2"))<span><span class=pstrut></span><span class=hide-tail><svg><path d=M1></svg></span></span></span></span></span></span>"
            ), "√2"
        ),
        // MathJax 3 without MathML, in HTML and in SVG
        (
            "<mjx-container class=MathJax jax=CHTML><mjx-math aria-hidden=true><mjx-msubsup><mjx-mi><mjx-c class='mjx-c1D465 TEX-I'></mjx-c></mjx-mi><mjx-script><mjx-mn><mjx-c class=mjx-c32></mjx-c></mjx-mn><mjx-spacer></mjx-spacer><mjx-mn><mjx-c class=mjx-c31></mjx-c></mjx-mn></mjx-script></mjx-msubsup><mjx-mo><mjx-c class=mjx-c3D></mjx-c></mjx-mo><mjx-mfrac><mjx-frac><mjx-num><mjx-nstrut></mjx-nstrut><mjx-mn><mjx-c class=mjx-c31></mjx-c></mjx-mn></mjx-num><mjx-dbox><mjx-dtable><mjx-line></mjx-line><mjx-row><mjx-den><mjx-mn><mjx-c class=mjx-c32></mjx-c></mjx-mn></mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac></mjx-math></mjx-container>",
            "x_1^2=1/2"
        ),
        (
            "<mjx-container class=MathJax jax=SVG><svg viewBox='0 0 1 1'><g><g data-mml-node=math><g data-mml-node=msup><g data-mml-node=mi><path data-c=1D452></path></g><g data-mml-node=mi transform='translate(499,363) scale(0.707)'><use data-c=1D465></use></g></g><g data-mml-node=msqrt><g><g data-mml-node=mn><path data-c=32></path></g></g><g data-mml-node=mo><path data-c=221A></path></g><rect></rect></g></g></g></svg></mjx-container>",
            "e^x√2"
        ),
    ]

    @Test("A formula of a page without MathML is read once, from its drawing", arguments: drawings)
    func drawn(html: String, text: String) {
        #expect(MarkupDocument(html: "<p>P \(html) m</p>").blocks == [.paragraph([.text("P \(text) m")])])
    }

    @Test(
        "An element with the class of a formula that is not a drawn formula keeps its content",
        arguments: [
            "<math class=katex><mi>x</mi></math>", "<math class=katex><math class=katex><mi>x</mi></math></math>",
            "<div class='post katex'><p>x</p><span class=katex><math><mi>y</mi></math></span></div>",
            "<div class=katex>x <span class=katex-html>y</span></div>",
            String(repeating: "<span class=katex>", count: 1000) + "<p>x</p>",
            String(repeating: "<span class='katex katex-mathml'>", count: 1000) + "<p>x</p>",
        ])
    func notDrawn(html: String) {
        #expect(MarkupDocument(html: html + "<p>After</p>").blocks.text.contains("x"))
    }

    private static func katex(_ drawing: String) -> String {
        "<span class=katex><span class=katex-html aria-hidden=true><span class=base><span class=strut></span>\(drawing)</span></span></span>"
    }

    private static func item(_ text: String) -> String {
        "<span style='top:-2.55em'><span class=pstrut style='height:2.7em'></span><span class=sizing><span class=mord>\(text)</span></span></span>"
    }

    private static func scripts(_ classes: String, _ items: String...) -> String {
        "<span class=msupsub><span class=\(classes)><span class=vlist-r><span class=vlist>\(items.map(item).joined())</span><span class=vlist-s>\u{200B}</span></span><span class=vlist-r><span class=vlist><span></span></span></span></span></span>"
    }

    @Test("A formula in the first paragraph has its exponents and indices there, too")
    func digest() throws {
        let markdown = "10<sup>6</sup> H~2~O x<sup>a, b</sup>"
        #expect(try #require(MarkupDigest(markdown: markdown)).paragraph == "10⁶ H₂O xa, b")
    }

    @Test(
        "A formula that is not closed hides nothing of the text after it",
        arguments: [
            "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
            "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)></style></form>",
            "<math><mtext><table><tr><td>y", "<math><mi>x", "<math><mtext><math><mtext>x",
        ])
    func unclosed(start: String) {
        let blocks = MarkupDocument(html: "<h2>Before</h2>\(start)<h2>After</h2><p>Text.</p>").blocks
        #expect(blocks.text.contains("After"))
        #expect(blocks.text.contains("Text."))
    }

    @Test("Nesting that is too deep ends")
    func deep() {
        let html = String(repeating: "<msup>", count: 900) + "x"
        #expect(MarkupDocument(html: "<math>\(html)").blocks.text.contains("x"))
    }
}
