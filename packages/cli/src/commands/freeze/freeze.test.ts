import type { FreezeWindows } from '@catalog/contract/records/freeze';
import { sendJson, startFakeServer, type FakeServer } from '@catalog/testkit/fake-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { runProgram } from '../../program.ts';

const WEEKEND = {
  name: 'weekend',
  starts: '0 18 * * 5',
  ends: '0 6 * * 1',
  time_zone: 'Europe/Berlin',
  blocks: ['ingest'] as const,
};
const STATE: FreezeWindows = {
  windows: [
    {
      name: 'year-end',
      start: '2026-12-18T18:00:00.000Z',
      end: '2027-01-04T06:00:00.000Z',
      blocks: ['ingest', 'layer-config'],
      source: 'file',
      active: false,
    },
    {
      ...WEEKEND,
      blocks: ['ingest'],
      source: 'stored',
      active: true,
      active_until: '2026-11-23T05:00:00.000Z',
    },
  ],
  frozen_layers: [{ layer: 'team', frozen_since: '2026-11-20T17:05:00.000Z' }],
  approvals: [
    {
      layer: 'team',
      reference: '*',
      approver: 'ann',
      approved_at: '2026-11-20T17:06:00.000Z',
      expires_at: '2026-11-20T18:06:00.000Z',
    },
  ],
};
const NOTHING: FreezeWindows = { windows: [], frozen_layers: [], approvals: [] };

async function run(argv: string[], responses: readonly object[]) {
  const left = [...responses];
  const registry = await startFakeServer((_, response) =>
    sendJson(response, left.shift() ?? {}, { status: argv[1] === 'approve' ? 201 : 200 }),
  );
  const folder = temporaryFolder('catalog-freeze-');
  const output = { stdout: '', stderr: '' };
  const code = await runProgram({
    argv: [...argv, '--registry', registry.url],
    cwd: () => folder,
    home: folder,
    env: {},
    stdin: {},
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    signal: new AbortController().signal,
    now: () => 0,
  });
  return { code, ...output, body: lastBody(registry) };
}

function lastBody({ requests }: FakeServer): unknown {
  const { body } = requests.at(-1) ?? {};
  return body === undefined || body.length === 0 ? undefined : JSON.parse(body);
}

test('freeze list shows each window with its period, source, and end', async () => {
  const { stdout } = await run(['freeze', 'list'], [STATE]);
  expect(stdout).toContain('2026-12-18 18:00 UTC to 2027-01-04 06:00 UTC');
  expect(stdout).toContain('0 18 * * 5 to 0 6 * * 1 (Europe/Berlin)');
  expect(stdout).toContain('2026-11-23 05:00 UTC');
  const empty = await run(['freeze', 'list'], [NOTHING]);
  expect(empty.stdout).toContain('No freeze windows. To create one');
});

test('freeze status shows active windows, frozen layers, and approvals', async () => {
  const { stdout } = await run(['freeze', 'status'], [STATE]);
  expect(stdout).toContain('1 freeze window active');
  expect(stdout).not.toContain('year-end');
  expect(stdout).toMatch(/team +2026-11-20 17:05 UTC/);
  expect(stdout).toMatch(/ingest of team at \* +ann +2026-11-20 18:06 UTC/);
  expect((await run(['freeze', 'status'], [NOTHING])).stdout).toBe('No freeze window is active.\n');
});

test('freeze set keeps other stored windows, and leaves out those of the file', async () => {
  const period = ['--start', '2026-12-01', '--end', '2026-12-02T10:00:00+02:00'];
  const { code, body } = await run(['freeze', 'set', 'release', ...period], [STATE, STATE]);
  const release = { start: '2026-12-01T00:00:00.000Z', end: '2026-12-02T08:00:00.000Z' };
  expect(code).toBe(0);
  expect(body).toEqual({ windows: [WEEKEND, { name: 'release', ...release, blocks: ['ingest'] }] });
});

test('freeze remove sends the approvers and the justification', async () => {
  const approved = ['--approver', 'ann', '--approver', 'bob', '--justification', 'Released.'];
  const { stdout, body } = await run(['freeze', 'remove', 'weekend', ...approved], [STATE, STATE]);
  expect(stdout).toBe('Removed the window weekend\n');
  expect(body).toEqual({ windows: [], justification: 'Released.', approvers: ['ann', 'bob'] });
  const unknown = await run(['freeze', 'remove', 'year-end'], [STATE]);
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('catalog freeze list'),
  ]);
});

test('freeze approve prints the next step', async () => {
  const [approval] = STATE.approvals;
  const words = ['freeze', 'approve', '--layer', 'team', '--reference', '*'];
  const first = await run(words, [{ ...approval, approvers: ['ann'] }]);
  expect(first.stdout).toContain('a second admin must run the same command');
  const second = await run(words, [{ ...approval, approvers: ['ann', 'bob'] }]);
  expect(second.stdout).toContain('catalog layer reingest team --break-glass');
  expect(second.stdout).toContain('--approver ann --approver bob');
});

test.each([
  ['freeze set x'],
  ['freeze set x --start 2026-12-01'],
  ['freeze set x --start soon --end 2026-12-01'],
  ['freeze approve'],
  ['freeze approve --layer team'],
])('%s is a usage error', async (line) => {
  expect((await run(line.split(' '), [])).code).toBe(2);
});
