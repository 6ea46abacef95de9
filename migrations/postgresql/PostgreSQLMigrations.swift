package import PostgreSQL

/// The steps of the schema on a PostgreSQL server: the files `NNNN_name.sql` beside this one, which the build embeds.
package let postgreSQLMigrations: [Migration] = embeddedMigrations
