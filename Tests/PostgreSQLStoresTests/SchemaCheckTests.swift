import PostgreSQL
import PostgreSQLStores
import StoreEngines
import Testing

@Suite("The check of a schema", .withServer)
struct SchemaCheckTests {
    @Test("A schema of the migrations has no faults, and the check leaves nothing in the database")
    func noFaults() async throws {
        let schema = try await TemporarySchema()
        #expect(try await schema.server.schemaFaults().isEmpty)
        let left = try await schema.pool.read(["SELECT to_regnamespace('articles_check') IS NULL"])
        #expect(try left[0].first?.value(0) as Bool? == true)
    }

    @Test("Missing and changed objects are found, and the statement of a fault repairs it")
    func faults() async throws {
        let schema = try await TemporarySchema()
        try await schema.run(
            "DROP INDEX article_by_date", "ALTER TABLE source DROP CONSTRAINT source_uid_key",
            "ALTER TABLE article_read DROP CONSTRAINT article_read_user_id_fkey",
            "DROP TRIGGER source_renamed ON source",
            "DROP TABLE visit", "ALTER TABLE account ALTER COLUMN region DROP NOT NULL",
            "ALTER TABLE source DROP COLUMN home",
            "CREATE OR REPLACE FUNCTION log_body_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
        let faults = try await schema.server.schemaFaults()
        #expect(
            faults.map { "\($0.kind) \($0.name) \($0.isMissing)" } == [
                "column account.region false", "column source.home true",
                "constraint article_read.article_read_user_id_fkey true", "constraint source.source_uid_key true",
                "function log_body_change false", "index article.article_by_date true", "table visit true",
                "trigger source.source_renamed true",
            ])
        let remedies = faults.compactMap(\.remedy)
        #expect(remedies.count == 4)
        for remedy in remedies { try await schema.run(remedy) }
        #expect(try await schema.server.schemaFaults() == faults.filter { $0.remedy == nil })
    }
}
