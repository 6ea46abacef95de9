import ArticleStore

/// The style of the pages. It follows the dark mode of the system, limits the line length, and suits phones and paper.
enum PageStyle {
    /// The style sheet.
    static let text = """
        :root {
          color-scheme: light dark;
          --text: #1f2328; --soft: #5f6770; --page: #fdfdfc; --line: #dcdfe3; --box: #f3f4f2; --link: #0757ad;
          --keyword: #9c1b8a; --type: #6236b0; --string: #9a3412; --number: #0b5fa5; --comment: #5b6b5b;
          --inserted: #12662f; --deleted: #a8201a;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --text: #dfe2e6; --soft: #9aa3ad; --page: #16181b; --line: #343940; --box: #202327; --link: #82b7f5;
            --keyword: #ee8fdb; --type: #c3a6ff; --string: #f2a97e; --number: #7cc4f5; --comment: #93a893;
            --inserted: #7fd69a; --deleted: #ff9d95;
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          max-width: 42rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; background: var(--page); color: var(--text);
          font: 1.0625rem/1.6 system-ui, sans-serif; overflow-wrap: break-word;
        }
        a { color: var(--link); text-underline-offset: 0.15em; }
        a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
        h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 2em 0 0.6em; text-wrap: balance; }
        h1 { font-size: 2rem; letter-spacing: -0.01em; }
        h2 { font-size: 1.4rem; } h3 { font-size: 1.15rem; } h4, h5, h6 { font-size: 1rem; }
        p, ul, ol, dl, blockquote, pre, table { margin: 0 0 1.1em; }
        .site { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; align-items: baseline; }
        .site { padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); margin-bottom: 2rem; }
        .site a { text-decoration: none; } .site a:hover { text-decoration: underline; }
        .site > :first-child { margin-inline-end: auto; }
        .site .name { font-weight: 650; color: var(--text); }
        .site h1 { margin: 0; font-size: 1.35rem; }
        article > header { margin-bottom: 2rem; }
        article > header h1 { margin: 0 0 0.5rem; } main > h1 { margin: 0 0 1.5rem; }
        .facts, .tags, article > footer { color: var(--soft); font-size: 0.9rem; }
        .facts, .tags { margin: 0 0 0.4rem; }
        .tags { display: flex; flex-wrap: wrap; gap: 0.3rem 0.5rem; padding: 0; list-style: none; }
        .tags li { padding: 0 0.55em; border-radius: 1em; background: var(--box); }
        .tags a { text-decoration: none; }
        article > footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
        .body > :first-child { margin-top: 0; }
        .body h1 { font-size: 1.6rem; }
        .body :is(p, h1, h2, h3, h4, h5, h6, li, dt, dd, th, td) { unicode-bidi: plaintext; }
        pre, code { font: 0.9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
        pre, code { direction: ltr; unicode-bidi: isolate; text-align: left; }
        pre { overflow-x: auto; padding: 0.8em 1em; border-radius: 6px; background: var(--box); tab-size: 4; }
        pre code { font-size: 1em; }
        :not(pre) > code { padding: 0.1em 0.3em; border-radius: 4px; background: var(--box); }
        pre.lines {
          padding: 0; background: none; font: inherit; white-space: pre-wrap; direction: inherit;
          unicode-bidi: plaintext; text-align: start;
        }
        table { display: block; max-width: 100%; width: fit-content; overflow-x: auto; border-collapse: collapse; }
        th, td { padding: 0.35em 0.75em; border: 1px solid var(--line); text-align: start; vertical-align: top; }
        th { background: var(--box); }
        [align="center"] { text-align: center; } [align="right"] { text-align: right; }
        blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); }
        blockquote { color: var(--soft); }
        img { max-width: 100%; height: auto; }
        hr { border: 0; border-top: 1px solid var(--line); margin: 2em 0; }
        ul, ol { padding-inline-start: 1.6em; } li { margin: 0.2em 0; }
        li:has(> input) { list-style: none; } li > input { margin-inline: -1.4em 0.4em; }
        dt { font-weight: 600; } dd { margin-inline-start: 1.6em; }
        sup, sub { line-height: 0; }
        .footnotes { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 0.9rem; }
        .footnotes p { margin-bottom: 0.3em; }
        :target { scroll-margin-top: 1rem; background: var(--box); }
        .k { color: var(--keyword); } .t { color: var(--type); } .s { color: var(--string); }
        .n { color: var(--number); } .c { color: var(--comment); font-style: italic; }
        .i { color: var(--inserted); } .d { color: var(--deleted); }
        .day { display: grid; grid-template-columns: 6.5rem 1fr; margin-bottom: 1.6rem; }
        .day h2 { margin: 0; font: inherit; font-size: 0.9rem; line-height: 1.7rem; color: var(--soft); }
        .day ul { margin: 0; padding: 0; list-style: none; } .day li { margin: 0 0 1rem; }
        .day li > a { font-weight: 600; text-decoration: none; } .day li > a:hover { text-decoration: underline; }
        .day p { margin: 0.15rem 0 0; font-size: 0.95rem; }
        .day .facts { font-size: 0.85rem; }
        .all { columns: 13rem; column-gap: 2rem; padding: 0; list-style: none; }
        .all span { color: var(--soft); font-size: 0.85rem; }
        .turn { display: flex; justify-content: space-between; gap: 1rem; margin-top: 2rem; }
        .turn a { max-width: 48%; } .turn :only-child[rel="next"] { margin-inline-start: auto; }
        @media (max-width: 34rem) {
          body { padding: 1rem 1rem 3rem; }
          h1 { font-size: 1.6rem; }
          .day { display: block; }
        }
        @media print {
          .site, .turn { display: none; }
          body { max-width: none; }
          pre { white-space: pre-wrap; }
        }

        """
}
