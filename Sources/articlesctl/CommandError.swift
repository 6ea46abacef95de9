import Arguments
import ArticleStore
import AuthService
import Database
import FlowCoordinators
import Navigation
import Terminal
import TerminalReader

/// The failure of a command: what failed, what to do next, and the exit code.
struct CommandError: Error {
    let message: String
    let hint: String?
    let code: ExitCode

    init(_ message: String, hint: String? = nil, code: ExitCode) {
        self.message = message
        self.hint = hint
        self.code = code
    }

    init(_ error: any Error) {
        switch error {
        case let failure as CommandError: self = failure
        case let error as StoreError: self.init(error)
        case let error as DatabaseError: self.init(error)
        case let error as AuthError: self.init(error)
        case let error as UsageError:
            self.init(error.message, hint: error.advice, code: .usage)
        case let error as UnsavedError:
            let reason = CommandError(error.reason)
            self.init("the place was not saved: \(reason.message)", hint: reason.hint, code: reason.code)
        case let error as AftermathError:
            let reason = CommandError(error.reason)
            self.init("\(error.done), but \(reason.message)", hint: reason.hint, code: reason.code)
        case let error as ScreenError:
            self.init(error)
        case let error as ImportError:
            self.init(error)
        case let error as ExportError:
            self.init(error)
        case let error as SourceError:
            self.init(error)
        case let error as WrittenArticle.Fault:
            self.init(error.description, code: .badData)
        case let error as EditError:
            let isGone = if case .isGone = error { true } else { false }
            self.init(error.description, code: isGone ? .noInput : .tryAgain)
        case let error as MarkError:
            self.init(error.description, code: .badData)
        case let error as FormError:
            self.init(error.description, code: .badData)
        case PromptError.interrupted:
            self.init("interrupted", code: .interrupted)
        case PromptError.endOfInput:
            self.init(
                "the input ended before an answer was given", hint: "run it again and answer every question",
                code: .usage)
        case let error as PromptError:
            self.init(error.description, code: .badData)
        case let error as WriteError:
            self.init(error.description, code: .ioError)
        case let error as TokenFileError:
            self.init(error.description, hint: error.hint, code: error.code)
        case let error as CursorError:
            self.init(error)
        case let error as NavigationError:
            self.init(error.description, code: .software)
        default:
            self.init("\(error)", code: .software)
        }
    }

    private init(_ error: ImportError) {
        let (hint, code): (String, ExitCode) =
            switch error {
            case .noSuchFile: ("name files and folders that are there, or - for standard input", .noInput)
            case .cannotKeep: ("name a folder with room for it in TMPDIR", .cannotCreate)
            case .unknownEncoding: ("see which there are with: iconv --list", .usage)
            }
        self.init(error.description, hint: hint, code: code)
    }

    private init(_ error: SourceError) {
        let (hint, code): (String?, ExitCode) =
            switch error {
            case .noSource: ("see what there is with: articlesctl sources", .noInput)
            case .nameTaken, .unusableName, .unusableTag, .tooManyTags: (nil, .badData)
            case .isElsewhere: ("or add it to another source with --source", .badData)
            }
        self.init(error.description, hint: hint, code: code)
    }

    private init(_ error: ExportError) {
        let (hint, code): (String?, ExitCode) =
            switch error {
            case .needsFolder: ("say where it goes with --output", .usage)
            case .exists: ("choose another name, or replace it with --force", .cannotCreate)
            case .notEmpty: ("choose another folder, or replace what is in it with --force", .cannotCreate)
            case .wouldReplace: ("move it away, or choose another folder", .cannotCreate)
            case .isFolder, .isNoFolder: ("choose another name", .cannotCreate)
            case .cannotCreate:
                ("check that the folder that it is to be in exists and is yours to write", .cannotCreate)
            case .cannotWrite: ("check the disk: it may be full, over its quota, or failing", .ioError)
            }
        self.init(error.description, hint: hint, code: code)
    }

    private init(_ error: CursorError) {
        let message =
            switch error {
            case .malformed: "that is no cursor of this program"
            case .ofAnotherQuery: "the cursor belongs to a list with other filters or another order"
            }
        self.init(
            message, hint: "take it from “next” of list --json, and repeat the filters and the order of that list",
            code: .usage)
    }

    private init(_ error: ScreenError) {
        switch error {
        case .noArticle, .noArticles:
            self.init(error.description, hint: "see what there is with: articlesctl list", code: .noInput)
        case .elsewhere:
            self.init(error.description, code: .noInput)
        case .noSession:
            self.init(error.description, hint: "see what there is with: articlesctl sessions", code: .noInput)
        case .noToken:
            self.init(error.description, hint: "see what there is with: articlesctl tokens", code: .noInput)
        case .noUser:
            self.init(error.description, hint: "see who there is with: articlesctl users", code: .noInput)
        case .ownHasChanged:
            self.init(error.description, code: .tryAgain)
        case .noMarks:
            self.init(error.description, code: .unavailable)
        case .misplaced:
            self.init(error.description, code: .software)
        }
    }

    init(_ error: StoreError) {
        if let cause = error.cause as? DatabaseError, let (hint, code) = Self.advice(on: cause) {
            self.init(error.description, hint: hint, code: code)
            return
        }
        let (hint, code): (String?, ExitCode) =
            switch error.kind {
            case .interrupted: (nil, .interrupted)
            case .busy:
                ("try again when the other process has finished, or wait longer with --busy-timeout", .tryAgain)
            case .replaced: ("run it again to use the file that is there now", .tryAgain)
            case .damaged: (Self.adviceOnDamage, .ioError)
            case .readOnly, .full, .inputOutput, .refused: (nil, .ioError)
            case .unavailable: (nil, .unavailable)
            case .unknownOutcome: ("see whether it was done, then run it again if it was not", .tryAgain)
            }
        self.init(error.description, hint: hint ?? error.advice, code: code)
    }

    static let adviceOnDamage =
        "see what is wrong with: articlesctl doctor; then put a backup in its place with: articlesctl restore FILE, or save "
        + "what can be read with: articlesctl recover FILE NEW"

    private init(_ error: AuthError) {
        if case .notSignedIn = error {
            self.init(
                "you are not logged in, or your session has ended", hint: "log in with: articlesctl login",
                code: .notLoggedIn)
            return
        }
        let (hint, code): (String?, ExitCode) =
            switch error {
            case .invalidCredentials: ("try again, or make an account with: articlesctl register", .notLoggedIn)
            case .throttled: (nil, .tryAgain)
            case .secondFactorNeeded: ("log in at a terminal, or give it to: articlesctl login", .notLoggedIn)
            case .wrongCode, .logInEnded: (nil, .notLoggedIn)
            case .secondFactorThere: ("turn it off with: articlesctl account second-factor off", .badData)
            case .notAllowed:
                ("ask an operator, or who may write the database: articlesctl users role NAME ROLE", .notLoggedIn)
            case .outOfScope: (nil, .notLoggedIn)
            case .passwordNeeded: ("in a script, give it with --password-stdin", .notLoggedIn)
            case .wrongPassword: (nil, .notLoggedIn)
            case .invalidCode:
                (
                    "who may write the database gives one with: articlesctl users reset NAME, or users invite",
                    .notLoggedIn
                )
            case .registrationClosed: (nil, .notLoggedIn)
            case .noUser: ("see who there is with: articlesctl users", .noInput)
            case .blocked:
                (
                    "who may write the database gives a code for that with: articlesctl users reset NAME",
                    .notLoggedIn
                )
            case .outOfMemory: (nil, .tryAgain)
            default: (nil, .badData)
            }
        self.init(error.description, hint: hint, code: code)
    }
}
