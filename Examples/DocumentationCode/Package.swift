// swift-tools-version: 6.2

import PackageDescription

// The code of the pages about the kernel, with the default settings of the tools and as in a new application, where all
// code is isolated to the main actor by default. The folders are links to the tests of the project.
let kernel: [Target.Dependency] = [.product(name: "Navigation", package: "articlesctl")]
let onMainActor: [SwiftSetting] = [.defaultIsolation(MainActor.self)]
let other = ["Patterns/PagesTests.swift"]

let package = Package(
    name: "DocumentationCode",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "articlesctl", path: "../..")],
    targets: [
        .target(name: "EmbeddingPage", dependencies: kernel),
        .target(name: "EmbeddingPageOnMainActor", dependencies: kernel, swiftSettings: onMainActor),
        .testTarget(name: "DefaultSettings", dependencies: kernel + ["EmbeddingPage"], exclude: other),
        .testTarget(
            name: "OnMainActor", dependencies: kernel + ["EmbeddingPageOnMainActor"], exclude: other,
            swiftSettings: onMainActor),
    ]
)
