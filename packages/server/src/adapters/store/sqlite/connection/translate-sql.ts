/**
 * Translates a shared statement to SQLite: lists become JSON, limits become sums (see `limit.ts`), and row locks are
 * removed because there is only one writer.
 */
export function translateSql(sql: string): string {
  return sql
    .replaceAll(/= ANY \(\$(\d+)\)/g, 'IN (SELECT value FROM json_each(?$1))')
    .replaceAll(/LIMIT \$(\d+)/g, 'LIMIT ?$1 + 0')
    .replaceAll(/\bFOR (?:KEY SHARE|UPDATE)\b(?: SKIP LOCKED)?/g, '')
    .replaceAll(/\$(\d+)/g, '?$1');
}
