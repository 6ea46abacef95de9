public import Database

extension Schema {
    /// The schema of this package: the files `NNNN_name.sql` beside this one, which the build embeds.
    public static let articlesctl = Schema(applicationID: 0x4152_5443, migrations: embeddedMigrations)
}
