import Arguments
import Database
import LibraryStores
import Migrations
import Terminal

extension Context {
    /// The settings of a database for maintenance.
    var databaseConfiguration: Database.Configuration {
        Database.Configuration(busyTimeout: busyTimeout, isInterrupted: { InterruptWatch.noted != nil })
    }

    /// Opens the database for maintenance, whatever the version of its schema.
    ///
    /// - Throws: `CommandError` if the file is not a database of this program.
    func database(ofAnyVersionAt path: String) throws -> Database {
        do {
            try closeToOthers(path)
            let database = try Database(
                path: path, applicationID: Schema.articlesctl.applicationID, configuration: databaseConfiguration)
            try database.requireFinished()
            return database
        } catch let error as DatabaseError {
            throw CommandError(opening: error, given: databaseOption)
        }
    }

    /// Removes other users' access rights to the files of the database, and prints a message about it.
    func closeToOthers(_ path: String) throws {
        try FileCheck(path: path).closeToOthers(applicationID: Schema.articlesctl.applicationID).forEach(warnOfAccess)
    }

    /// Creates the folder of the database, if the location is the default one.
    func makeDefaultFolder() throws {
        let locations = try locations
        guard locations.isDefaultDatabase, case .file(let path) = locations.place,
            let end = path.lastIndex(of: "/")
        else { return }
        try Locations.makeFolder(String(path[..<end]))
    }

    /// Copies a database and shows the progress. Ctrl-C stops it.
    func keeping<T>(_ copy: ((Backup.Progress) throws -> Void) throws -> T) throws -> T {
        let watch = InterruptWatch()
        var line = ProgressLine(writer: error, terminal: terminal)
        let clock = ContinuousClock()
        let start = clock.now
        defer { line.erase() }
        return try copy { progress in
            if let signal = watch.signal {
                throw CommandError(
                    "interrupted", hint: "nothing was changed", code: ExitCode(signal: signal) ?? .interrupted)
            }
            let percent = progress.pageCount == 0 ? 100 : progress.pages * 100 / progress.pageCount
            line.update(percent < 100 ? "\(percent) % copied …" : "Checking the copy …", now: clock.now - start)
        }
    }
}
