//! The log's tables as its migrations make them, in the words of PostgreSQL's own catalogue: what an audit holds a
//! database against. Whoever adds a migration adds its parts here; an audit of a fresh database tells which.

use crate::log::looks::Part;

/// The tables.
pub(super) const TABLES: &[&str] = &[
    "events",
    "log_head",
    "log_memos",
    "log_claims_counted",
    "log_claims_unique",
    "log_limits",
    "log_heartbeats",
    "log_schema",
];

/// Every part of the tables named in $1: columns, indexes, constraints, triggers, rules, policies, heirs.
pub(super) const PARTS: &str = "WITH ours AS \
     (SELECT name, to_regclass(name) AS id FROM unnest($1::text[]) AS name) \
     SELECT o.name, 'table ' || o.name, concat_ws(' ', \
     CASE c.relkind WHEN 'r' THEN 'table' ELSE 'relation of kind ' || c.relkind::text END, \
     CASE c.relpersistence WHEN 'p' THEN NULL ELSE 'that does not last' END, \
     CASE WHEN c.relrowsecurity THEN 'with row security' END) \
     FROM ours o JOIN pg_class c ON c.oid = o.id \
     UNION ALL SELECT o.name, 'column ' || a.attname, concat_ws(' ', \
     format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'not null' END, \
     pg_get_expr(d.adbin, d.adrelid)) FROM ours o JOIN pg_attribute a ON a.attrelid = o.id \
     LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
     WHERE a.attnum > 0 AND NOT a.attisdropped \
     UNION ALL SELECT o.name, 'index ' || c.relname, concat_ws(' ', \
     CASE WHEN i.indisunique THEN 'unique' END, CASE WHEN NOT i.indisvalid THEN 'invalid' END, \
     (SELECT string_agg(pg_get_indexdef(i.indexrelid, k, true), ', ' ORDER BY k) \
     FROM generate_series(1, i.indnatts) AS k), \
     pg_get_expr(i.indpred, i.indrelid)) \
     FROM ours o JOIN pg_index i ON i.indrelid = o.id JOIN pg_class c ON c.oid = i.indexrelid \
     UNION ALL SELECT o.name, 'constraint ' || t.conname, pg_get_constraintdef(t.oid, true) \
     FROM ours o JOIN pg_constraint t ON t.conrelid = o.id WHERE t.contype <> 'n' \
     UNION ALL SELECT o.name, 'trigger ' || t.tgname, '' \
     FROM ours o JOIN pg_trigger t ON t.tgrelid = o.id WHERE NOT t.tgisinternal \
     UNION ALL SELECT o.name, 'rule ' || r.rulename, '' \
     FROM ours o JOIN pg_rewrite r ON r.ev_class = o.id \
     UNION ALL SELECT o.name, 'policy ' || p.polname, '' \
     FROM ours o JOIN pg_policy p ON p.polrelid = o.id \
     UNION ALL SELECT o.name, 'table that inherits, ' || c.relname, '' \
     FROM ours o JOIN pg_inherits h ON h.inhparent = o.id JOIN pg_class c ON c.oid = h.inhrelid";

/// Table, part, how it was made.
const MADE: &[(&str, &str, &str)] = &[
    ("events", "column aggregate_type", "text not null"),
    ("events", "column aggregate_id", "text not null"),
    ("events", "column sequence", "bigint not null"),
    ("events", "column event_type", "text not null"),
    ("events", "column event_version", "text not null"),
    ("events", "column payload", "json not null"),
    ("events", "column metadata", "json not null"),
    ("events", "column position", "bigint not null"),
    ("events", "column written_at", "bigint not null"),
    ("events", "column salt", "bytea not null"),
    ("events", "column hash", "bytea not null"),
    ("events", "index events_pkey", "unique aggregate_type, aggregate_id, sequence"),
    ("events", "index events_by_position", "unique \"position\""),
    ("events", "constraint events_pkey", "PRIMARY KEY (aggregate_type, aggregate_id, sequence)"),
    ("events", "constraint events_sequence_check", "CHECK (sequence >= 0)"),
    ("log_head", "column one", "integer not null"),
    ("log_head", "column position", "bigint not null"),
    ("log_head", "column hash", "bytea not null"),
    ("log_head", "index log_head_pkey", "unique one"),
    ("log_head", "constraint log_head_pkey", "PRIMARY KEY (one)"),
    ("log_head", "constraint log_head_one_check", "CHECK (one = 1)"),
    ("log_memos", "column account", "uuid not null"),
    ("log_memos", "column id", "uuid not null"),
    ("log_memos", "column input", "bytea not null"),
    ("log_memos", "column result", "text not null"),
    ("log_memos", "column stream", "text not null"),
    ("log_memos", "column version", "bigint not null"),
    ("log_memos", "column position", "bigint not null"),
    ("log_memos", "column recorded", "bigint not null"),
    ("log_memos", "index log_memos_pkey", "unique account, id"),
    ("log_memos", "index log_memos_by_position", "\"position\""),
    ("log_memos", "constraint log_memos_pkey", "PRIMARY KEY (account, id)"),
    ("log_claims_counted", "column counter", "text not null"),
    ("log_claims_counted", "column player", "uuid not null"),
    ("log_claims_counted", "column held", "bigint not null"),
    ("log_claims_counted", "index log_claims_counted_pkey", "unique counter, player"),
    ("log_claims_counted", "constraint log_claims_counted_pkey", "PRIMARY KEY (counter, player)"),
    ("log_claims_counted", "constraint log_claims_counted_held_check", "CHECK (held >= 0)"),
    ("log_claims_unique", "column key", "text not null"),
    ("log_claims_unique", "index log_claims_unique_pkey", "unique key"),
    ("log_claims_unique", "constraint log_claims_unique_pkey", "PRIMARY KEY (key)"),
    ("log_limits", "column counter", "text not null"),
    ("log_limits", "column most", "bigint not null"),
    ("log_limits", "index log_limits_pkey", "unique counter"),
    ("log_limits", "constraint log_limits_pkey", "PRIMARY KEY (counter)"),
    ("log_heartbeats", "column node", "text not null"),
    ("log_heartbeats", "column at", "bigint not null"),
    ("log_heartbeats", "index log_heartbeats_pkey", "unique node"),
    ("log_heartbeats", "constraint log_heartbeats_pkey", "PRIMARY KEY (node)"),
    ("log_schema", "column step", "integer not null"),
    ("log_schema", "column applied", "timestamp with time zone not null now()"),
    ("log_schema", "index log_schema_pkey", "unique step"),
    ("log_schema", "constraint log_schema_pkey", "PRIMARY KEY (step)"),
];

/// The parts that the migrations make.
pub(super) fn made() -> Vec<Part> {
    let tables = TABLES.iter().map(|table| Part {
        table: (*table).to_owned(),
        what: format!("table {table}"),
        made: "table".to_owned(),
    });
    let parts = MADE.iter().map(|(table, what, made)| Part {
        table: (*table).to_owned(),
        what: (*what).to_owned(),
        made: (*made).to_owned(),
    });
    tables.chain(parts).collect()
}
