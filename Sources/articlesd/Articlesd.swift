import Platform

/// The program: serves the library over HTTP.
@main
struct Articlesd {
    static func main() async { exit(64) }
}
