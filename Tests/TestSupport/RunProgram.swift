import Foundation

/// Runs a program found in PATH with `input` as its standard input, and returns its status and what it wrote.
public func runProgram(_ arguments: [String], input: String = "") throws -> (status: Int32, output: String) {
    let folder = try TemporaryFolder()
    let directory = URL(filePath: folder.path)
    defer { withExtendedLifetime(folder) {} }
    let inputFile = directory.appending(path: "input")
    let outputFile = directory.appending(path: "output")
    try Data(input.utf8).write(to: inputFile)
    try Data().write(to: outputFile)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    let output = try FileHandle(forWritingTo: outputFile)
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: outputFile, encoding: .utf8))
}

/// Whether a program is installed.
public func isInstalled(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}
