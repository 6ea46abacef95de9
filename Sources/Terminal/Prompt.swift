import CPlatform
import Platform
package import Text

/// The reason why an answer could not be read.
package enum PromptError: Error, Hashable, CustomStringConvertible {
    /// The process does not have a terminal to ask on.
    case noTerminal
    /// The input ended (Ctrl-D) before an answer.
    case endOfInput
    /// The answer exceeds the limit.
    case tooLong(limit: Int)
    /// The bytes of the answer are not UTF-8.
    case notUTF8
    /// The bytes of a line of standard input are not UTF-8.
    case inputNotUTF8
    /// A watched signal arrived.
    case interrupted
    /// Reading failed; `code` is the `errno`.
    case failed(code: Int32)

    /// The error as a message.
    package var description: String {
        switch self {
        case .noTerminal: "there is no terminal for a prompt"
        case .endOfInput: "the input ended before an answer was given"
        case .tooLong(let limit): "the answer is longer than \(limit) bytes"
        case .notUTF8: "the answer is not valid UTF-8; check the terminal's encoding"
        case .inputNotUTF8: "the line on standard input is not valid UTF-8; encode it as UTF-8"
        case .interrupted: "interrupted"
        case .failed(let code): "cannot read the answer: \(SystemError(code: code))"
        }
    }
}

extension PromptError: ExplainedError {
    package var errorKind: ErrorKind {
        switch self {
        case .interrupted: .interrupted
        case .endOfInput: .usage
        case .noTerminal, .tooLong, .notUTF8, .inputNotUTF8, .failed: .invalid
        }
    }

    package var hint: String? { self == .endOfInput ? "run it again and answer every question" : nil }
}

/// Asks the user for a line on a terminal, whatever the standard streams are connected to.
package struct Prompt: Sendable {
    /// The device to ask on. Tests use a pseudo-terminal.
    package let device: String
    /// The maximum length of an answer in bytes. A terminal cuts a line at 4,095 (N_TTY).
    package let limit: Int

    /// Creates a prompt.
    package init(device: String = "/dev/tty", limit: Int = 1024) {
        self.device = device
        self.limit = limit
    }

    /// Asks with echo. `question` is printed unchanged, so sanitize text from other sources.
    package func line(_ question: String) throws(PromptError) -> String {
        try ask(question, echo: true)
    }

    /// Asks without echo. The echo is restored however the prompt ends: with an answer, Ctrl-C, Ctrl-Z, or SIGTERM. The
    /// answer is exactly the typed text, including spaces, without the newline.
    package func password(_ question: String) throws(PromptError) -> String {
        try ask(question, echo: false)
    }

    private func ask(_ question: String, echo: Bool) throws(PromptError) -> String {
        let descriptor = open(device, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .noTerminal }
        defer { close(descriptor) }

        var buffer = [UInt8](repeating: 0, count: limit)
        var length = 0
        let result = platform_prompt(descriptor, question, echo ? 1 : 0, &buffer, limit, &length)
        let code = errno
        defer { platform_wipe(&buffer, buffer.count) }
        switch result {
        case PLATFORM_PROMPT_LINE:
            guard let answer = String(validating: buffer[..<length], as: UTF8.self) else { throw .notUTF8 }
            return answer
        case PLATFORM_PROMPT_END: throw .endOfInput
        case PLATFORM_PROMPT_TOO_LONG: throw .tooLong(limit: limit)
        case PLATFORM_PROMPT_INTERRUPTED: throw .interrupted
        default: throw code == ENOTTY ? .noTerminal : .failed(code: code)
        }
    }

    /// Returns the first line of a stream without its `\n` or `\r\n`, for `--password-stdin`. The rest of the stream is
    /// not read.
    ///
    /// - Throws: `PromptError.endOfInput` if the stream is empty; `tooLong`, `inputNotUTF8`, `failed`.
    package func firstLine(of descriptor: Int32) throws(PromptError) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(limit + 1)
        defer { platform_wipe(&bytes, bytes.count) }
        while true {
            var byte: UInt8 = 0
            let count = read(descriptor, &byte, 1)
            if count < 0 {
                if errno == EINTR { continue }
                throw .failed(code: errno)
            }
            if count == 0, bytes.isEmpty { throw .endOfInput }
            if count == 0 || byte == UInt8(ascii: "\n") { break }
            // The carriage return may be one byte beyond the limit.
            guard bytes.count <= limit else { throw .tooLong(limit: limit) }
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        guard let line = String(validating: bytes, as: UTF8.self) else { throw .inputNotUTF8 }
        return line
    }
}
