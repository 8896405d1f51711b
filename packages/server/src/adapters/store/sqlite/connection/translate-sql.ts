/**
 * Translates the PostgreSQL spellings of the shared statements. Lists are bound as JSON. A sum hides
 * the value of a limit: SQLite plans by the value of a plain `LIMIT ?` and prepares the statement again
 * whenever it is bound, which costs more than most reads. There is one writer, so no row needs a lock.
 */
export function translateSql(sql: string): string {
  return sql
    .replaceAll(/= ANY \(\$(\d+)\)/g, 'IN (SELECT value FROM json_each(?$1))')
    .replaceAll(/LIMIT \$(\d+)/g, 'LIMIT ?$1 + 0')
    .replaceAll(/\bFOR (?:KEY SHARE|UPDATE)\b(?: SKIP LOCKED)?/g, '')
    .replaceAll(/\$(\d+)/g, '?$1');
}
