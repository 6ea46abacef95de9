"""Text that a source, a reader, or an address may try to smuggle into a page."""

# Each is used as a title, an author, a tag, a summary, a text, a note, a user's own tag, and a search.
WORDS = [
    # Elements and attributes that end in unexpected places.
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</textarea><script>alert(1)</script>",
    "</title><svg onload=alert(1)>", "' onmouseover='alert(1)", "\" autofocus onfocus=alert(1) x=\"", "`onclick=alert(1)`",
    "<ScRiPt\n>alert(1)</sCrIpT\t>", "<<script>>alert(1)//<</script>>", "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x:x onerror=alert(1)//", "<svg/onload=alert(1)>", "<body onpageshow=alert(1)>", "<a href=javascript:alert(1)>x</a>",
    "</p></main></body></html><script>alert(1)</script>", "--><script>alert(1)</script><!--", "<!--", "]]>", "<![CDATA[", "<?xml",
    "</style><style>*{display:none}</style>", "<plaintext>", "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<template><script>alert(1)</script></template>", "＜script＞alert(1)＜/script＞", "\u00bcscript\u00bealert(1)\u00bc/script\u00be",
    # Entities, which must not become markup.
    "&lt;b&gt;", "&#60;script&#62;alert(1)&#60;/script&#62;", "&amp;amp;lt;", "&NotAnEntity;&#0;&#x110000;&#xD800;",
    # Addresses.
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)", "//example.invalid/%2e%2e/", "/../../../../etc/passwd", "http://[::1", "#\" onclick=\"alert(1)",
    # Code in other languages.
    "${alert(1)}{{alert(1)}}<%= 7*7 %>#{7*7}", "'; DROP TABLE article; --", "\" OR \"\"=\"", "%s%n%x%d", "$(touch x)`touch x`;|&",
    "=1+1+cmd|' /C calc'!A0", "%0d%0aSet-Cookie:x=1", "title:\"unended AND (", "a NEAR/ b* ^c -", "*",
    # Words that have a special meaning in programs.
    "null", "undefined", "NaN", "true", "-0", "1e309", "0x10", "__proto__", "constructor", "hasOwnProperty", "..", "CON",
    # Text that is difficult to display.
    "\u202egnirts esrever\u202c", "\u2066\u2067isolates that nobody ends", "Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪̹̱̤", "Z" + "\u0300\u0301\u0302\u0316" * 40, "💥" * 40,
    "👩‍👩‍👧‍👦🏳️‍🌈👍🏿🇸🇪", "\ufeffzero\u200bwidth\u200c\u200d\u2060joiners\u00ad", "ﷺ﷽𒐫", "مرحبا بالعالم", "नमस्ते 世界 こんにちは", "İıſßﬁ", "𝕿𝖍𝖊 𝓺𝓾𝓲𝓬𝓴",
    "line\u2028para\u2029graph", "x" * 400, "W" * 60 + " " + "i" * 60, "e\u0301 and \u00e9",
]

# Content of an article's text. Each is in a separate article, because some consume everything after them. P is the
# address of a server for pictures.
HTML = [
    '<p onclick="alert(1)" style="position:fixed;inset:0" id="main">Text</p>',
    '<a href="javascript:alert(1)">a</a> <a href="data:text/html,<script>alert(1)</script>">b</a> <a href=" jav&#x09;ascript:alert(1)">c</a>',
    '<img src="P/a.svg" onerror="alert(1)" onload="alert(1)" alt="A picture"><img src="P/b.svg" srcset="P/c.svg 2x" alt="">',
    '<img src="P/missing" onerror=alert(1) alt="No picture"><img src="x" onerror=alert(1)><img src="javascript:alert(1)" alt="x">',
    '<img src="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 onload=%22alert(1)%22/%3E" alt="x">',
    '<picture><source srcset="P/d.svg"><img src="P/e.svg" alt="&quot; onload=&quot;alert(1)"></picture>',
    '<svg onload=alert(1)><script>alert(1)</script><animate onbegin="alert(1)" attributeName="x"/><use href="P/f.svg#x"/></svg>',
    '<svg><foreignObject><iframe srcdoc="<script>parent.alert(1)</script>"></iframe></foreignObject></svg>',
    '<math><mi xlink:href="javascript:alert(1)">m</mi><annotation-xml encoding="text/html"><script>alert(1)</script></annotation-xml></math>',
    '<iframe src="P/page"></iframe><frame src="P/page"><embed src="P/x.swf"><object data="P/x.swf"><param name="a"></object>',
    '<form action="P/steal"><input name="password" autofocus onfocus="alert(1)"><button formaction="javascript:alert(1)">Log in</button></form>',
    '<meta http-equiv="refresh" content="0;url=P/page"><base href="P/"><link rel="stylesheet" href="P/x.css"><link rel="prefetch" href="P/y">',
    '<style>@import "P/x.css";body{display:none}</style><div style="background:url(P/g.svg)">Text</div>',
    '<script src="P/x.js"></script><script type="module">import "P/x.js"; alert(1)</script><noscript><img src="P/h.svg"></noscript>',
    '<details ontoggle="alert(1)" open><summary>more</summary>less</details><dialog open>over it</dialog><marquee onstart=alert(1)>x</marquee>',
    '<video src="P/v" onerror="alert(1)" autoplay poster="P/i.svg"></video><audio src="P/v" onerror="alert(1)"></audio><track src="P/t">',
    '<textarea></textarea><script>alert(1)</script><title></title><img src=x onerror=alert(1)><xmp><script>alert(1)</script></xmp>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)></style></form>',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<custom-element is="x" onclick="alert(1)"><slot onslotchange=alert(1)></slot></custom-element><a name="said" id="said">said</a>',
    '<h1>A second title</h1><h1 id="main">A third</h1><main>Another main</main><header role="banner">x</header><p role="alert">Log in again</p>',
    '<button name="do" value="!log-out">Log out</button><a target="_blank" href="P/page" ping="P/ping">ping</a><p contenteditable autofocus>x</p>',
    '<p class="notice error" role="alert">Your session has ended</p><p class="skip unseen qr k t" aria-hidden="true" hidden>hidden?</p>',
    '<table><tr><td background="P/j.svg">a<td><script>alert(1)</script></table><p tabindex="99" accesskey="x">Text</p>',
    "<div>" * 600 + "deep" + "</div>" * 600,
    '<a href="//example.invalid/x">no scheme</a> <a href="\\\\example.invalid\\x">backslashes</a> <a href="#&quot; onclick=&quot;alert(1)">hash</a>',
    "<p>\x08\x1b[31mControls\x7f\u0080</p><p>&#8;&#27;&#0;&#128;</p><pre onscroll=alert(1)>" + "x" * 500 + "</pre>",
]
MARKDOWN = [
    "[a](javascript:alert(1)) [b](<java\tscript:alert(1)>) [c](data:text/html;base64,PHNjcmlwdD4=) [d]: javascript:alert(1)\n\n[d]",
    "![x](P/k.svg \"t\\\" onload=\\\"alert(1)\") ![\"onerror=\"alert(1)](x) <javascript:alert(1)> <P/?\"onclick=\"alert(1)>",
    "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\nText <b onclick=alert(1)>bold</b>\n\n<!-- <script> -->",
    "```\"><script>alert(1)</script>\nlet x = \"</code></pre><script>alert(1)</script>\"\n```\n\n`</code><script>alert(1)</script>`",
    "| <script>alert(1)</script> | b |\n|:-|-:|\n| ![x](javascript:alert(1)) | \"onclick=alert(1) |\n",
    "A note[^\"><script>alert(1)</script>].\n\n[^\"><script>alert(1)</script>]: <script>alert(1)</script>\n",
    "> [!NOTE]\n> <script>alert(1)</script>\n\n- [ ] <img src=x onerror=alert(1)>\n- [x] [[<script>alert(1)</script>]]\n",
    "# " + "#" * 5 + " <script>alert(1)</script>\n\n" + "> " * 300 + "deep\n\n" + "[" * 500 + "x" + "](y)" * 500,
]


def articles(pictures):
    """Articles with each of these words and texts, in order."""
    texts = [("html", text) for text in HTML] + [("markdown", text) for text in MARKDOWN]
    for index in range(max(len(WORDS), len(texts))):
        word = WORDS[index % len(WORDS)]
        form, text = texts[index] if index < len(texts) else ("html", f'<p title="{word}">{word}</p>')
        text = text.replace("P/", pictures + "/")
        ending = "<h2>The end of it</h2>" if form == "html" else "\n\n## The end of it\n"
        beginning = "<h2>The beginning</h2>" if form == "html" else "## The beginning\n\n"
        yield {"slug": f"hostile-{index}", "title": word, "authors": [word], "tags": [word[:60]], "summary": word,
               "url": f"{pictures}/{index}", "format": form, "body": beginning + text + ending,
               "published": f"2026-{index // 28 + 1:02d}-{index % 28 + 1:02d}T00:00:00Z"}
