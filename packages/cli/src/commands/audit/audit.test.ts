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

test('audit who lists each user once, with versions, times and minutes', async () => {
  const read = (caller: string, version: string, minute: string) => ({
    position: 1,
    record: {
      type: 'artifact.loaded',
      timestamp: `2026-11-01T09:${minute}:00.000Z`,
      'caller.identity': caller,
      'caller.kind': 'subject',
      commitment: 'c',
      artifact: 'ops/deploy',
      version,
      layer: 'base',
      name: 'deploy',
      tags: [],
    },
  });
  const pages = [
    { records: [read('ada', '2.0.0', '40'), read('bob', '1.0.0', '35')], next_cursor: '7' },
    { records: [read('ada', '1.0.0', '30'), read('ada', '2.0.0', '30')] },
  ];
  const registry = await startFakeServer((_, response) => sendJson(response, pages.shift() ?? {}));
  const { stdout } = await runLine('audit who ops/deploy --since 2026-10-01', registry);
  expect(
    stdout
      .split('\n')
      .map((line) => line.split(/ {2,}/))
      .slice(0, 3),
  ).toEqual([
    ['user', 'versions', 'layers', 'first', 'last', 'minutes'],
    ['ada', '2.0.0 1.0.0', 'base', '2026-11-01 09:30 UTC', '2026-11-01 09:40 UTC', '2'],
    ['bob', '1.0.0', 'base', '2026-11-01 09:35 UTC', '2026-11-01 09:35 UTC', '1'],
  ]);
  const queries = registry.requests.map(
    ({ path }) => new URL(path, 'http://registry').searchParams,
  );
  expect(queries.map((query) => [query.get('artifact'), query.get('cursor')])).toEqual([
    ['ops/deploy', null],
    ['ops/deploy', '7'],
  ]);
});

test('audit who passes an exact version, and rejects a range', async () => {
  const registry = await startPages([]);
  const { stdout } = await runLine('audit who ops/deploy@1.2.0', registry);
  expect(stdout).toContain('No loads of ops/deploy@1.2.0 are recorded since');
  const [request] = registry.requests;
  const query = new URL(request?.path ?? '', 'http://registry').searchParams;
  expect([query.get('version'), query.get('type')]).toEqual(['1.2.0', 'artifact.loaded']);
  const { code, stderr } = await runLine('audit who ops/deploy@1.x', registry);
  expect([code, stderr]).toEqual([2, expect.stringContaining('names a range of versions')]);
});

test('usage lists popular artifacts, or the days of one', async () => {
  const entry = {
    id: 'ops/deploy',
    type: 'rule',
    summary: '',
    version: '1.0.0',
    layer: 'base',
    tags: [],
    deprecated: false,
    updated_at: '2026-11-01T09:00:00.000Z',
    uses: 12,
  };
  const day = { day: '2026-11-01', version: '1.0.0', layer: 'base', loads: 3, syncs: 4 };
  const documents = [
    { days: 30, artifacts: [entry] },
    { id: 'ops/deploy', since: '2026-10-03', loads: 3, syncs: 4, days: [day] },
    { days: 30, artifacts: [] },
  ];
  const registry = await startFakeServer((_, response) =>
    sendJson(response, documents.shift() ?? {}),
  );
  expect((await runLine('usage', registry)).stdout).toMatch(
    /^ops\/deploy +rule +1.0.0 +base +12$/m,
  );
  const { stdout } = await runLine('usage ops/deploy --days 90', registry);
  expect(stdout).toMatch(/^ops\/deploy: 3 loads and 4 syncs since 2026-10-03$/m);
  expect(stdout).toMatch(/^2026-11-01 +1.0.0 +base +3 +4$/m);
  expect(registry.requests[1]?.path).toContain('days=90');
  expect((await runLine('usage', registry)).stdout).toContain('No loads or syncs are counted');
});

test('admin access-review prints one line per grant, which no spreadsheet runs', async () => {
  const user = { state: 'active', groups: [], layers: [] };
  const admin = { granted_at: '2026-11-01T09:00:00.000Z', granted_by: 'ada' };
  const pages = [
    {
      reviewed_at: '2026-11-02T09:00:00.000Z',
      shared_layers: [{ layer: 'base', access: 'organization' }],
      users: [
        {
          ...user,
          user_id: '=cmd()',
          admin,
          groups: ['Team, A'],
          layers: [{ layer: 'ops', via: 'group', group: 'Team, A' }],
          last_read_at: '2026-11-01T10:00:00.000Z',
        },
      ],
      next_cursor: 'after 1',
    },
    {
      reviewed_at: '2026-11-02T09:00:00.000Z',
      shared_layers: [],
      users: [{ ...user, user_id: 'bob' }],
    },
  ];
  const serve = () => {
    const left = [...pages];
    return startFakeServer((_, response) => sendJson(response, left.shift() ?? {}));
  };
  const { stdout } = await runLine('admin access-review', await serve());
  expect(stdout.split('\r\n')).toEqual([
    'user,state,kind,name,via,granted_at,granted_by,last_read_at',
    '*,,layer,base,organization,,,',
    "'=cmd(),active,role,admin,,2026-11-01T09:00:00.000Z,ada,2026-11-01T10:00:00.000Z",
    `'=cmd(),active,group,"Team, A",directory,,,2026-11-01T10:00:00.000Z`,
    `'=cmd(),active,layer,ops,"Team, A",,,2026-11-01T10:00:00.000Z`,
    'bob,active,none,,,,,',
    '',
  ]);
  const json = await runLine('admin access-review --json', await serve());
  expect(
    json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ layer: 'base' }, { user_id: '=cmd()' }, { user_id: 'bob' }]);
});
