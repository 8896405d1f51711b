import { randomBytes } from 'node:crypto';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { appendLeaves, EMPTY_TREE, leafHash } from '@catalog/core/audit/merkle-tree';
import { sealRecord, type PersonValues, type SealedFields } from '@catalog/core/audit/seal-record';
import type { AuditRecord, AuditTree } from '@catalog/core/ports/audit';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

export const ATTACKS = [
  'edit',
  'delete',
  'remove',
  'insert',
  'swap',
  'fork',
  'truncate',
  'values',
  'tree',
  'hash',
] as const;
export type Attack = (typeof ATTACKS)[number];

export interface Target {
  path: string;
  tenant: number;
  /** Positions that a checkpoint covers and that the log still has. */
  signed: readonly number[];
}

interface Row {
  position: number;
  record: SealedFields;
  values: PersonValues[];
}

/**
 * Changes the database like an attacker who controls it, and recomputes every hash in it. Returns the
 * position of the first changed record, 0 if only the tree changed, or undefined if the log offers no such change.
 */
export function attack(kind: Attack, target: Target, random: SeededRandom): number | undefined {
  const database = new DatabaseSync(target.path);
  database.exec('BEGIN');
  try {
    const position = change(kind, database, target, random);
    database.exec(position === undefined ? 'ROLLBACK' : 'COMMIT');
    return position;
  } finally {
    database.close();
  }
}

function change(
  kind: Attack,
  database: DatabaseSync,
  { tenant, signed }: Target,
  random: SeededRandom,
): number | undefined {
  const at = signed[random.int(signed.length)];
  if (at === undefined) return undefined;
  const rows = readRows(database, tenant);
  const index = rows.findIndex(({ position }) => position === at);
  const row = rows[index];
  if (row === undefined) return undefined;
  const tree = readTree(database, tenant);
  const forged = (): Omit<Row, 'position'> => {
    const { record, values } = sealRecord(forgedRecord(), () => randomBytes(16));
    return { record, values: [...values] };
  };
  let first = at;
  switch (kind) {
    case 'edit':
      rows[index] = { position: at, record: { ...row.record, forged: true }, values: row.values };
      break;
    case 'delete':
      rows.splice(index, 1);
      break;
    case 'remove':
      rows.splice(index, 1);
      renumber(rows);
      break;
    case 'insert':
      rows.splice(index, 0, { position: at, ...forged() });
      renumber(rows);
      break;
    case 'swap': {
      const other = signed[random.int(signed.length)] ?? at;
      const second = rows.findIndex(({ position }) => position === other);
      const swapped = rows[second];
      if (swapped === undefined || second === index) return undefined;
      rows[index] = { ...swapped, position: at };
      rows[second] = { ...row, position: other };
      first = Math.min(at, other);
      break;
    }
    case 'fork':
      for (let later = index; later < rows.length; later += 1) {
        rows[later] = { position: at + later - index, ...forged() };
      }
      break;
    case 'truncate':
      rows.length = index;
      break;
    case 'values': {
      const value = row.values.find(({ salt }) => salt !== '');
      if (value === undefined) return undefined;
      value.fields = { 'caller.identity': 'somebody-else' };
      break;
    }
    case 'tree':
      if (tree === undefined) return undefined;
      writeRows(database, tenant, rows, { ...tree, origin: randomBytes(16).toString('hex') });
      return 0;
    case 'hash':
      database
        .prepare('UPDATE audit SET leaf_hash = ? WHERE tenant = ? AND position = ?')
        .run(leafHash('another record'), tenant, at);
      return at;
  }
  writeRows(database, tenant, rows, tree);
  if (random.int(2) === 0) database.exec('DELETE FROM audit_checkpoints');
  return first;
}

function forgedRecord(): AuditRecord {
  return {
    type: 'admin.granted',
    timestamp: '2026-01-01T00:00:00.000Z',
    trace_id: randomBytes(16).toString('hex'),
    'caller.identity': 'mallory',
    'caller.kind': 'subject',
    action: 'grant',
    user_id: 'mallory',
  };
}

function renumber(rows: Row[]): void {
  rows.forEach((row, at) => {
    row.position = at + 1;
  });
}

function readRows(database: DatabaseSync, tenant: number): Row[] {
  const values = database
    .prepare('SELECT * FROM audit_values WHERE tenant = ? ORDER BY position, person, place')
    .all(tenant);
  return database
    .prepare('SELECT position, record FROM audit WHERE tenant = ? ORDER BY position')
    .all(tenant)
    .map(({ position, record }) => ({
      position: Number(position),
      record: JSON.parse(String(record)),
      values: values.filter((value) => value['position'] === position).map(toValues),
    }));
}

function toValues(row: Record<string, SQLOutputValue>): PersonValues {
  const { person, place, subject, salt, fields } = row;
  return {
    person: String(person),
    place: Number(place),
    subject: String(subject),
    salt: salt === null ? '' : String(salt),
    fields: fields === null ? {} : JSON.parse(String(fields)),
  };
}

function readTree(database: DatabaseSync, tenant: number): AuditTree | undefined {
  const row = database.prepare('SELECT audit_tree FROM tenants WHERE tenant = ?').get(tenant);
  const text = row?.['audit_tree'];
  return typeof text === 'string' && text !== '' ? JSON.parse(text) : undefined;
}

/** Writes all rows with the right hashes and the right tree over them. */
function writeRows(
  database: DatabaseSync,
  tenant: number,
  rows: readonly Row[],
  tree: AuditTree | undefined,
): void {
  database.prepare('DELETE FROM audit WHERE tenant = ?').run(tenant);
  database.prepare('DELETE FROM audit_values WHERE tenant = ?').run(tenant);
  const insert = database.prepare('INSERT INTO audit VALUES (?, ?, ?, ?)');
  const add = database.prepare('INSERT INTO audit_values VALUES (?, ?, ?, ?, ?, ?, ?)');
  const leaves: string[] = [];
  for (const { position, record, values } of rows) {
    const text = JSON.stringify(record);
    const leaf = leafHash(text);
    if (tree !== undefined && position >= tree.first) leaves.push(leaf);
    insert.run(tenant, position, text, leaf);
    for (const { person, place, subject, salt, fields } of values) {
      const erased = salt === '';
      const stored = erased ? null : JSON.stringify(fields);
      add.run(tenant, position, person, place, subject, erased ? null : salt, stored);
    }
  }
  const grown = tree && { ...tree, ...appendLeaves(EMPTY_TREE, leaves) };
  database
    .prepare('UPDATE tenants SET audit_position = ?, audit_tree = ? WHERE tenant = ?')
    .run(rows.at(-1)?.position ?? 0, grown === undefined ? '' : JSON.stringify(grown), tenant);
}
