internal import FlowCoordinators

/// The frame around every screen.
struct PageFrame {
    /// The name of the library.
    let name: String
    /// The token that proves that a form was made for this browser.
    let formToken: String
    /// The name of the screen, which forms contain.
    var screenName: String
    let appearance: Appearance
    let textWidth: TextWidth
    /// The name of the signed-in user, if any.
    let user: String?
    /// The signed-in user for the copies of pages in the browser; see ``WebApp/account(of:)``.
    var account = WebApp.nobody
    /// The size of text.
    var textSize = TextSize.default

    /// The hidden fields of every form.
    var hiddenFields: HTML {
        """
        <input type="hidden" name="\(Submission.Name.token)" value="\(formToken)">\
        <input type="hidden" name="\(Submission.Name.screen)" value="\(screenName)">
        """
    }

    /// Returns a whole page.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - main: the content.
    func html(title: String, main: HTML) -> HTML {
        """
        <!doctype html>
        <html lang="en" data-appearance="\(appearance.rawValue)"\(size)>
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(sentence: title == name ? name : "\(title) · \(name)")</title>
        <meta name="color-scheme" content="\(colorScheme)">
        <link rel="stylesheet" href="\(Assets.style.path)"><link rel="icon" href="\(Assets.icon.path)">
        \(WebApp.head(account: account))
        <script src="\(Assets.script.path)" defer></script><script src="\(Assets.app.path)" defer></script></head>
        <body data-width="\(width)">
        <a class="skip" href="#main">Skip to content</a>
        <header class="top"><nav aria-label="Main"><a class="brand" href="\(AppRoute.articles().path)"\(current(.articles()))>\(name)</a>\(navigation)</nav>\(logOut)</header>
        <p id="said" class="unseen" role="status"></p>
        <main id="main" tabindex="-1">
        \(main)
        </main>
        </body></html>

        """
    }

    private var navigation: HTML? {
        guard let user else { return nil }
        return """
            <a href="\(AppRoute.library().path)"\(current(.library()))>Library</a>\
            <a href="\(AppRoute.account.path)" title="Account of \(user)"\(current(.account))>\(user)</a>
            """
    }

    private func current(_ place: AppRoute) -> HTML? {
        screenName == place.screenName ? " aria-current=\"page\"" : nil
    }

    /// The button to log out, on every page. It does not ask: unlike a key, it is not pressed by mistake.
    private var logOut: HTML? {
        guard user != nil else { return nil }
        var account = self
        account.screenName = AppRoute.account.screenName
        return """
            <form method="post" action="\(AppRoute.account.path)">\(account.hiddenFields)\
            <input type="hidden" name="\(Submission.Name.isAgreed)" value="yes"><button name="\(Submission.Name.command)" \
            value="\(Submission.Command.logOut.text)">Log out</button></form>
            """
    }

    private var colorScheme: String {
        switch appearance {
        case .default: "light dark"
        case .dark: "dark"
        case .light: "light"
        case .contrast: "light dark"
        }
    }

    /// A size from the style sheet.
    private var size: HTML? { textSize == .default ? nil : " data-size=\"\(textSize.percent)\"" }

    /// A width from the style sheet, because pages do not contain styles.
    private var width: String { textWidth.columns < 66 ? "narrow" : textWidth.columns > 84 ? "wide" : "usual" }
}
