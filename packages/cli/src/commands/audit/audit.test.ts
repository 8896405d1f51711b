import type { AuditEntry } from '@catalog/contract/records/audit';
import { sendJson, startFakeServer, type FakeServer } from '@catalog/testkit/fake-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { runProgram } from '../../program.ts';

function entry(position: number, facts: Record<string, string | string[]> = {}): AuditEntry {
  return {
    position,
    record: {
      type: 'layer.config_changed',
      timestamp: `2026-11-01T09:${String(30 + position)}:00.000Z`,
      trace_id: 'trace',
      'caller.identity': 'ada',
      'caller.kind': 'subject',
      ...facts,
    },
  };
}

async function startPages(
  pages: readonly { records: AuditEntry[]; next_cursor?: string }[],
): Promise<FakeServer> {
  const left = [...pages];
  return startFakeServer((_, response) => sendJson(response, left.shift() ?? { records: [] }));
}

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

async function runLine(
  line: string,
  registry: FakeServer,
  onOutput: (text: string) => void = () => undefined,
  signal = new AbortController().signal,
): Promise<Run> {
  const folder = temporaryFolder('catalog-audit-');
  const output = { stdout: '', stderr: '' };
  const write = (stream: 'stdout' | 'stderr') => (text: string) => {
    output[stream] += text;
    onOutput(text);
  };
  const code = await runProgram({
    argv: [...line.split(' '), '--registry', registry.url],
    cwd: () => folder,
    home: folder,
    env: {},
    stdin: {},
    stdout: { write: write('stdout') },
    stderr: { write: write('stderr') },
    signal,
    now: () => 0,
  });
  return { code, ...output };
}

function queriesOf(registry: FakeServer): (string | null)[][] {
  return registry.requests.map(({ path }) => {
    const { searchParams } = new URL(path, 'http://registry');
    return ['order', 'cursor', 'since', 'type'].map((name) => searchParams.get(name));
  });
}

test('audit tail shows the newest records in ascending order of time', async () => {
  const registry = await startPages([
    {
      records: [entry(3, { layer: 'ops', fields: ['ref', 'root'] }), entry(2), entry(1)],
      next_cursor: '1',
    },
  ]);
  const { code, stdout } = await runLine('audit tail --limit 2', registry);
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'time                  type                  caller  details',
    '2026-11-01 09:32 UTC  layer.config_changed  ada     -',
    '2026-11-01 09:33 UTC  layer.config_changed  ada     layer: ops, fields: ref root',
    '',
  ]);
});

test('audit tail reports an empty log', async () => {
  const { stdout } = await runLine('audit tail', await startPages([]));
  expect(stdout).toBe('The audit log is empty.\n');
});

test('audit tail --follow shows new records until Ctrl-C', async () => {
  const registry = await startPages([
    { records: [entry(1)] },
    { records: [entry(2, { layer: 'new' })] },
  ]);
  const stop = new AbortController();
  const { code, stdout, stderr } = await runLine(
    'audit tail --follow',
    registry,
    (text) => {
      if (text.includes('layer: new')) stop.abort();
    },
    stop.signal,
  );
  expect(code).toBe(0);
  expect(stdout).toContain('layer: new');
  expect(stderr).toContain('Waiting for new records. To stop, press Ctrl-C.');
  expect(queriesOf(registry)).toEqual([
    ['newest', null, null, null],
    ['oldest', '1', null, null],
  ]);
});

test('audit search passes its filters and continues after empty pages', async () => {
  const registry = await startPages([
    { records: [], next_cursor: '2001' },
    { records: [entry(2), entry(1)], next_cursor: '1' },
  ]);
  const { stdout } = await runLine(
    'audit search --type x --type y --since 2026-11-08 --limit 1',
    registry,
  );
  expect(stdout).toContain('09:32 UTC');
  expect(stdout).not.toContain('09:31 UTC');
  expect(stdout).toContain('and more; to list them, add --limit 5\n');
  const since = '2026-11-08T00:00:00.000Z';
  expect(queriesOf(registry)).toEqual([
    ['newest', null, since, 'x,y'],
    ['newest', '2001', since, 'x,y'],
  ]);
});

test('audit search without a match shows the next step', async () => {
  const { stdout } = await runLine('audit search --caller nobody', await startPages([]));
  expect(stdout).toBe('No records match. To see the newest, run `catalog audit tail`.\n');
});

test('audit search rejects an invalid time', async () => {
  const { code, stderr } = await runLine('audit search --since lately', await startPages([]));
  expect(code).toBe(2);
  expect(stderr).toContain(
    '--since must be a duration, a date, or a time with a time zone, not lately.',
  );
});

test('audit export prints every record as one JSON document per line, oldest first', async () => {
  const registry = await startPages([
    { records: [entry(1)], next_cursor: '1' },
    { records: [entry(2)] },
  ]);
  const { code, stdout } = await runLine('audit export', registry);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([entry(1), entry(2)]);
  expect(queriesOf(registry).map(([order]) => order)).toEqual(['oldest', 'oldest']);
});
