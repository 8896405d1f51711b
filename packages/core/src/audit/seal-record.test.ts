import { describe, expect, test } from 'vitest';
import type { AuditRecord } from '../ports/audit.ts';
import { RECORD_TYPES } from './record-types.ts';
import { leafHash } from './merkle-tree.ts';
import { listUnmatched, revealRecord, sealRecord, type ErasedValues } from './seal-record.ts';

let salts = 0;
const newSalt = (): Uint8Array => new Uint8Array(16).fill((salts += 1));

const BASE = {
  timestamp: '2026-01-02T03:04:05.000Z',
  trace_id: '00000000000000000000000000000001',
  'caller.identity': 'ann-canary',
  'caller.email': 'ann-canary@example.com',
  'caller.groups': ['ann-canary-group'],
  'caller.kind': 'subject',
  'caller.public_mode': false,
};

/** A record of each type, with every personal field that the type declares. */
const EACH_TYPE = Object.entries(RECORD_TYPES).map(([type, { persons }]): AuditRecord => {
  const facts: Record<string, string | string[]> = {};
  for (const { fields, each } of Object.values(persons)) {
    for (const field of fields) {
      facts[field] = each === true ? ['bo-canary', 'cy-canary'] : `${field} bo-canary`;
    }
  }
  return { ...BASE, type, action: 'update', ...facts };
});

const SYSTEM = { ...BASE, 'caller.kind': 'system', 'caller.identity': 'system:ingest' };

describe('sealed records', () => {
  test.each(EACH_TYPE.map((record) => [record.type, record] as const))(
    'contain no personal value of %s, and are revealed unchanged',
    (_, record) => {
      const sealed = sealRecord(record, newSalt);
      const text = JSON.stringify(sealed.record);
      expect(text).not.toContain('canary');
      expect(sealed.leaf_hash).toBe(leafHash(text));
      expect(revealRecord(sealed.record, sealed.values)).toEqual(record);
      expect(listUnmatched(sealed.record, sealed.values)).toEqual([]);
    },
  );

  test('have different commitments for the same user', () => {
    const [first, second] = [0, 1].map(() =>
      sealRecord({ ...BASE, type: 'admin.reembed' }, newSalt),
    );
    expect(first?.record['commitment.caller']).not.toBe(second?.record['commitment.caller']);
  });

  test('keep callers that are not users', () => {
    const sealed = sealRecord({ ...SYSTEM, type: 'layer.purged', layer: 'team' }, newSalt);
    expect(sealed.values).toEqual([]);
    expect(sealed.record).toMatchObject({ 'caller.identity': 'system:ingest', layer: 'team' });
  });

  test('do not depend on unpaired surrogates', () => {
    const sealed = sealRecord({ ...BASE, type: 'admin.granted', user_id: '\ud800x' }, newSalt);
    expect(sealed.values.at(-1)?.subject).toBe('\ufffdx');
    expect(listUnmatched(sealed.record, sealed.values)).toEqual([]);
  });

  test('show pseudonyms after an erasure, and still match', () => {
    const record = {
      ...BASE,
      type: 'directory.group_changed',
      'members.named_in': ['bo', 'cy'],
      'members.named_out': [],
    };
    const { record: fields, values } = sealRecord(record, newSalt);
    const erased = values.map((value): typeof value | ErasedValues =>
      value.subject === 'cy' || value.person === 'caller'
        ? { ...value, subject: 'redacted-1', salt: null, fields: null }
        : value,
    );
    expect(listUnmatched(fields, erased)).toEqual([]);
    expect(revealRecord(fields, erased)).toEqual({
      type: 'directory.group_changed',
      timestamp: BASE.timestamp,
      trace_id: BASE.trace_id,
      'caller.identity': 'redacted-1',
      'caller.kind': 'subject',
      'caller.public_mode': false,
      'members.named_in': ['bo', 'redacted-1'],
      'members.named_out': [],
    });
  });

  test('name the users whose values were changed or removed', () => {
    const { record, values } = sealRecord(
      { ...BASE, type: 'admin.granted', user_id: 'bo' },
      newSalt,
    );
    const changed = values.map((value) =>
      value.person === 'user' ? { ...value, fields: { user_id: 'cy' } } : value,
    );
    expect(listUnmatched(record, changed)).toEqual(['user']);
    expect(listUnmatched(record, values.slice(1))).toEqual(['caller']);
  });
});
