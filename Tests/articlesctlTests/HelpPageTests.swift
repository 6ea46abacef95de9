import Arguments
import Terminal
import Testing

@testable import articlesctl

@Suite("Help")
struct HelpPageTests {
    @Test("The help fits the width and names everything", arguments: [40, 60, 100])
    func fits(width: Int) throws {
        for chain in exampleCommands.chains {
            let page = try #require(HelpPage(of: exampleCommands, path: chain.dropFirst().map(\.name)))
            let text = page.text(width: width)
            for line in text.lines where !line.text.contains("$ ") && !line.text.contains("[OPTION]") {
                #expect(line.displayWidth <= width, "\(line.text)")
            }
            let plain = text.rendered(isColored: false)
            for option in chain.flatMap(\.options) {
                #expect(plain.contains(option.spelling))
            }
            for subcommand in chain[chain.count - 1].subcommands {
                #expect(plain.contains(subcommand.name))
            }
        }
    }

    @Test("Terms are aligned, and defaults and choices are shown")
    func layout() throws {
        let page = try #require(HelpPage(of: exampleCommands, path: ["ls"])).text(width: 80).rendered(isColored: false)
        #expect(
            page == """
                List articles, [newest]: it's first

                USAGE
                  shelf list [OPTION]...

                OPTIONS
                  -a, --author NAME  Only by this author
                  -n, --limit N      At most so many (default: 50)
                  -t, --tag TAG      Only with this tag
                  -r, --reverse      Oldest first

                INHERITED OPTIONS
                  -d, --database PATH  Use this file
                  -j, --json           Print JSON
                      --color WHEN     Colour the output: auto, always, never (default: auto)
                  -h, --help           Show this help

                EXAMPLES
                  List what one author wrote
                  $ shelf list --author 'J. O\\'Neil'

                """)
    }

    @Test("A missing command has no help")
    func unknown() {
        #expect(HelpPage(of: exampleCommands, path: ["nothing"]) == nil)
    }
}
