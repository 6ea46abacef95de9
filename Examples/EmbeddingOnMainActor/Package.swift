// swift-tools-version: 6.2

import PackageDescription

// By default, all code is isolated to the main actor, as in a new application for iOS.
let package = Package(
    name: "EmbeddingOnMainActor",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "articlesctl", path: "../..")],
    targets: [
        .executableTarget(
            name: "kitchen",
            dependencies: [
                .product(name: "Navigation", package: "articlesctl"),
                .product(name: "NavigationTesting", package: "articlesctl"),
            ],
            swiftSettings: [.defaultIsolation(MainActor.self)])
    ]
)
