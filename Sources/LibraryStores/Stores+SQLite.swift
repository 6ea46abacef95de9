internal import ArticleStore
internal import Database
internal import Migrations
internal import Platform
internal import SQLiteStores
internal import Text

extension Stores {
    static func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 || errno != ENOENT }

    static func migrateFile(_ path: String, _ options: Options) throws -> [SchemaStep] {
        try translating {
            try migrator(path, options).migrate().applied.map { SchemaStep($0, appliedAt: options.clock()) }
        }
    }

    static func fileSteps(_ path: String, _ options: Options) throws -> [SchemaStep] {
        try translating {
            try migrator(path, options).status().map { step in
                switch step.state {
                case .pending: SchemaStep(step.migration, appliedAt: nil)
                case .applied(let date, let isUnchanged):
                    SchemaStep(step.migration, appliedAt: date, isUnchanged: isUnchanged)
                }
            }
        }
    }

    static func migrator(_ path: String, _ options: Options) -> Migrator {
        Migrator(path: path, schema: .articlesctl, configuration: configuration(options), clock: options.clock)
    }

    static func configuration(_ options: Options) -> Database.Configuration {
        Database.Configuration(
            busyTimeout: options.busyTimeout, waitingWrites: options.waitingWrites,
            isInterrupted: options.isInterrupted)
    }

    static func openFile(_ path: String, _ options: Options, onClosing: (String) -> Void) throws -> Stores {
        try translating {
            if options.makesPrivate {
                try FileCheck(path: path).closeToOthers(applicationID: Schema.articlesctl.applicationID)
                    .forEach(onClosing)
            }
            var configuration = configuration(options)
            let library = try Database(path: path, schema: .articlesctl, configuration: configuration)
            var screen = library
            if let timeout = options.screenTimeout, timeout < options.busyTimeout {
                configuration.busyTimeout = timeout
                screen = try Database(path: path, schema: .articlesctl, configuration: configuration)
            }
            let articles = SQLiteArticleRepository(
                database: library, keepsLists: options.keepsLists, clock: options.clock)
            return Stores(
                articles: articles, accounts: SQLiteAccountStore(database: library),
                marks: SQLiteMarkRepository(database: screen), reading: SQLiteReadingStateRepository(database: screen),
                subscriptions: SQLiteSubscriptionRepository(database: library),
                pictures: SQLitePictureRepository(database: library),
                visits: SQLiteVisitRepository(database: library), versions: SQLiteLibraryVersions(database: library),
                recordingChanges: { articles.recordingChanges($0) }, hasRoom: { library.hasRoom(forBytes: $0) })
        }
    }

    static func translating<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StoreError(error)
        }
    }
}

extension SchemaStep {
    fileprivate init(_ migration: Migration, appliedAt: Date?, isUnchanged: Bool = true) {
        self.init(
            version: migration.version, name: migration.name, sql: migration.sql, appliedAt: appliedAt,
            isUnchanged: isUnchanged)
    }
}
