/**
 * Baseline of an ingest in one process. Reads and hashes every file of a folder in one loop, and
 * inserts the rows of a finished ingest in one transaction, table by table. Usage:
 * node ingest-loop.mjs <folder> <ingested database> <new database>
 * The rows are in memory before the measurement starts; creating them is the work of the subject.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const [folder, ingested, path] = process.argv.slice(2);

const source = new DatabaseSync(ingested, { readOnly: true });
const schema = source
  .prepare(
    "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
  )
  .all();
const tables = schema
  .filter(({ type }) => type === 'table')
  .map(({ name }) => {
    const statement = source.prepare(`SELECT * FROM ${name}`);
    statement.setReturnArrays(true);
    return { name, rows: statement.all() };
  })
  .filter(({ rows }) => rows.length > 0);
source.close();

const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
database.exec('PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY');
for (const { type, sql } of schema) if (type !== 'trigger') database.exec(sql);

const wall = performance.now();
const cpu = process.cpuUsage();
let files = 0;
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const bytes = readFileSync(`${entry.parentPath}/${entry.name}`);
  createHash('sha256').update(bytes).digest('hex');
  files += 1;
}
let inserted = 0;
database.exec('BEGIN IMMEDIATE');
for (const { name, rows } of tables) {
  const insert = database.prepare(
    `INSERT INTO ${name} VALUES (${rows[0].map(() => '?').join(', ')})`,
  );
  for (const row of rows) insert.run(...row);
  inserted += rows.length;
}
database.exec('COMMIT');
const { user, system } = process.cpuUsage(cpu);
const wall_ms = performance.now() - wall;
database.close();
process.stdout.write(JSON.stringify({ wall_ms, cpu_ms: (user + system) / 1000, files, inserted }));
