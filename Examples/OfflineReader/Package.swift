// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "OfflineReader",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "articlesctl", path: "../..")],
    targets: [
        .executableTarget(
            name: "offline-reader", dependencies: [.product(name: "ArticlesClient", package: "articlesctl")])
    ]
)
