// swift-tools-version: 6.2

import PackageDescription

// By default, all code is isolated to the main actor, as in a new application for iOS.
let package = Package(
    name: "FourCoordinators",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "articlesctl", path: "../..")],
    targets: [
        .executableTarget(
            name: "four-coordinators", dependencies: [.product(name: "Navigation", package: "articlesctl")],
            swiftSettings: [.defaultIsolation(MainActor.self)])
    ]
)
