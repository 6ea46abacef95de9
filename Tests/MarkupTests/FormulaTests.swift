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
