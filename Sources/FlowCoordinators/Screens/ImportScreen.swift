/// The form that asks for the path to import.
struct ImportScreen: Sendable {
    /// The initial value of the path.
    let path: String

    var screen: Screen {
        Screen(
            title: "Import articles",
            content: .form(
                Form(
                    [
                        .init(
                            .path, "File or folder", value: path,
                            hint:
                                "On this machine: Markdown, HTML, text, JSON, CSV, feeds (RSS, Atom, JSON Feed), exports of "
                                + "WordPress, Ghost, Pocket, and other programs, bookmarks, or a folder of such files."
                        )
                    ], submitLabel: "Import")))
    }
}
