import Glibc
import HTTPServer
import Navigation

/// Shows the same screens in a browser. A place is an address, and an event is a form, so each request makes its own
/// navigator.
struct BrowserFront {
    let port: Int

    /// Serves until the program ends.
    func run() async throws {
        let server = try HTTPServer(on: .internet(host: "127.0.0.1", port: port)) { await response(to: $0) }
        print("http://127.0.0.1:\(server.port ?? port)\(ColorRoute.first.path)")
        // A pipe would keep the address until more is printed.
        fflush(nil)
        // Wait for a line or the end of the input, which ends the program.
        _ = readLine()
        await server.stop(within: .seconds(1))
    }

    private func response(to request: HTTPRequest) async -> HTTPResponse {
        guard let place = ColorRoute(path: request.target.path) else {
            return HTTPResponse(.notFound, text: "There is no page \(request.target.path).")
        }
        do {
            let navigator = try await makeNavigator(at: place)
            guard request.method == .post else { return try await page(of: navigator) }
            guard let name = HTTPQuery(form: request.body)?["event"], let event = ColorRoute.Event(rawValue: name)
            else {
                return HTTPResponse(.badRequest, text: "The form has no event of this page.")
            }
            navigator.send(event)
            let next = navigator.state.top?.route ?? place
            return HTTPResponse(.seeOther, fields: [.location: try HTTPFieldValue(next.path)])
        } catch {
            return HTTPResponse(.internalServerError, text: "\(error)")
        }
    }

    private func page(of navigator: Navigator<ColorRoute>) async throws -> HTTPResponse {
        guard let screen = try await navigator.screen() else { return HTTPResponse(.notFound) }
        let back = navigator.state.frames.dropLast().last.map { "<p><a href=\"\($0.route.path)\">Back</a></p>" } ?? ""
        let buttons = screen.buttons.map { "<button name=\"event\" value=\"\($0)\">\($0)</button>" }.joined()
        return HTTPResponse(
            text: """
                <!DOCTYPE html>
                <html lang="en">
                <meta charset="utf-8">
                <title>\(screen.title)</title>
                <body style="background: \(screen.color)">
                <h1>\(screen.title)</h1>
                <form method="post">\(buttons)</form>
                \(back)
                </body>
                </html>

                """, fields: [.contentType: "text/html; charset=utf-8"])
    }
}
