import { describe, expect, test } from 'vitest';
import type { AuditContext } from '../audit-context.ts';
import { buildEvent } from '../events/build-event.ts';
import { buildAuditRecord } from './build-record.ts';

const OCCASION: AuditContext = {
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  caller: { kind: 'open' },
  now: new Date('2026-01-01T00:00:00.000Z'),
  public_mode: false,
};
const ANN = { kind: 'subject', subject: 'ann', email: 'ann@example.com', groups: ['ops'] } as const;
const BARE = { kind: 'subject', subject: 'system:ingest', email: '', groups: [] } as const;

describe('caller in records and events', () => {
  test.each<[Partial<AuditContext>, object, object]>([
    [{}, { 'caller.identity': 'system:operator', 'caller.kind': 'open' }, { type: 'operator' }],
    [
      { public_mode: true },
      { 'caller.identity': 'system:public', 'caller.public_mode': true },
      { type: 'public' },
    ],
    [
      { caller: { kind: 'system', name: 'ingest' } },
      { 'caller.identity': 'system:ingest', 'caller.kind': 'system' },
      { type: 'system', name: 'ingest' },
    ],
    [{ caller: { kind: 'anonymous' } }, { 'caller.identity': 'system:anonymous' }, {}],
    [
      { caller: ANN },
      {
        'caller.identity': 'ann',
        'caller.email': 'ann@example.com',
        'caller.groups': ['ops'],
        'caller.kind': 'subject',
      },
      { type: 'subject', subject: 'ann', email: 'ann@example.com' },
    ],
    [
      { caller: BARE },
      { 'caller.identity': 'system:ingest', 'caller.kind': 'subject', 'caller.groups': [] },
      { type: 'subject', subject: 'system:ingest' },
    ],
  ])('%j', (more, record, actor) => {
    const auditContext = { ...OCCASION, ...more };
    expect(buildAuditRecord(auditContext, 'layer.purged', {})).toMatchObject(record);
    const data = { layer: 'x', action: 'update' } as const;
    expect(buildEvent(auditContext, 'layer.config_changed', data).actor).toEqual(actor);
  });

  test('facts cannot override the caller or other fixed fields', () => {
    const facts = {
      'caller.identity': 'ann',
      type: 'x',
      trace_id: 'y',
      timestamp: 'z',
      layer: 'l',
    };
    expect(buildAuditRecord(OCCASION, 'layer.purged', facts)).toEqual({
      type: 'layer.purged',
      timestamp: '2026-01-01T00:00:00.000Z',
      trace_id: OCCASION.trace_id,
      layer: 'l',
      'caller.identity': 'system:operator',
      'caller.kind': 'open',
      'caller.public_mode': false,
    });
  });
});
