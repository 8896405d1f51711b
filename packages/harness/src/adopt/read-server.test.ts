import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@catalog/core/json';
import { readMcpServer } from '@catalog/core/artifact/mcp-server';
import { loadAdapter } from '../registry.ts';
import { readServer, type ServerReading } from './read-server.ts';

function read(harness: string, entry: JsonObject, name = 'tickets'): ServerReading {
  const source = loadAdapter(harness).adopt?.find(({ kind }) => kind === 'servers');
  if (source?.kind !== 'servers') throw new RangeError(`${harness} has no servers`);
  const reading = readServer(name, entry, source);
  if ('left' in reading) throw new RangeError(reading.left);
  return reading;
}

const SECRET = 'Zk4Q9wErTyUiOpAsDfGh';

describe('readServer with a secret', () => {
  test.each<[string, JsonObject, JsonObject, string]>([
    [
      'in a variable called like one',
      { command: 'a', env: { DB_PASSWORD: 'hunter2' } },
      { command: 'a', env: { DB_PASSWORD: '${secret:DB_PASSWORD}' } },
      'DB_PASSWORD',
    ],
    [
      'in a variable called anything',
      { command: 'a', env: { JIRA: SECRET } },
      { command: 'a', env: { JIRA: '${secret:JIRA}' } },
      'JIRA',
    ],
    [
      'in a header, behind its scheme',
      { type: 'http', url: 'https://a.b', headers: { Authorization: `Bearer ${SECRET}` } },
      {
        url: 'https://a.b',
        transport: 'http',
        headers: { Authorization: 'Bearer ${secret:TICKETS_AUTHORIZATION}' },
      },
      'Authorization',
    ],
    [
      'in a header called anything',
      { type: 'http', url: 'https://a.b', headers: { 'X-Team': SECRET } },
      { url: 'https://a.b', transport: 'http', headers: { 'X-Team': '${secret:TICKETS_X_TEAM}' } },
      'X-Team',
    ],
    [
      'behind a flag',
      { command: 'a', args: ['--api-key', 'abc', 'b'] },
      { command: 'a', args: ['--api-key', '${secret:TICKETS_API_KEY}', 'b'] },
      '--api-key',
    ],
    [
      'in a flag',
      { command: 'a', args: ['--token=abc'] },
      { command: 'a', args: ['--token=${secret:TICKETS_TOKEN}'] },
      '--token',
    ],
    [
      'in an address',
      { type: 'http', url: 'https://me:pass1@a.b/?x=1' },
      { url: 'https://me:${secret:TICKETS_URL}@a.b/?x=1', transport: 'http' },
      'url',
    ],
  ])('replaces and reports a secret %s', (_, entry, fields, member) => {
    const reading = read('claude-code', entry);
    const { transport, ...kept } = reading.fields;
    const { transport: wanted, ...expected } = fields;
    expect(kept).toEqual(expected);
    expect(transport ?? wanted).toBe(wanted);
    expect(JSON.stringify(reading)).not.toContain(SECRET);
    expect(reading.changes).toHaveLength(1);
    expect(reading.changes[0]).toContain(`the literal in ${member} looks like a secret and is`);
  });

  test.each(['debug', 'claude-3-5-sonnet-20241022', '/srv/data', 'eu-central-1', '2024-11-05'])(
    'does not detect a secret in %s',
    (value) => {
      expect(read('claude-code', { command: 'a', env: { SETTING: value } }).fields).toEqual({
        command: 'a',
        env: { SETTING: value },
      });
    },
  );
});

describe("readServer with a product's reference syntax", () => {
  test.each<[string, JsonObject]>([
    ['claude-code', { command: 'a', env: { KEY: '${KEY}' } }],
    ['claude-code', { command: 'a', env: { KEY: '${KEY:-}' } }],
    ['cursor', { command: 'a', env: { KEY: '${env:KEY}' } }],
    ['opencode', { type: 'local', command: ['a'], environment: { KEY: '{env:KEY}' } }],
    ['codex', { command: 'a', env_vars: ['KEY'] }],
    ['gemini-cli', { command: 'a', env: { KEY: '$KEY' } }],
  ])('converts references of %s to the canonical form', (harness, entry) => {
    const { fields, changes } = read(harness, entry);
    expect(fields).toEqual({ command: 'a', env: { KEY: '${secret:KEY}' } });
    expect(changes.filter((change) => change.startsWith('not kept'))).toEqual([]);
  });
});

test('adopt reports a lost default without its value', () => {
  const { changes } = read('claude-code', { command: 'a', env: { KEY: '${KEY:-hunter2}' } });
  expect(changes).toEqual(['${KEY:-...} is ${secret:KEY}, and its default is not kept']);
});

test('reports members without a field in an artifact', () => {
  const { changes } = read('codex', { command: 'a', startup_timeout_sec: 20 });
  expect(changes).toEqual(['not kept: startup_timeout_sec']);
});

test.each<[JsonObject, string]>([
  [{ command: 'a', disabled: true }, 'it is switched off there'],
  [{ name: 'a' }, 'it has neither a command nor an address'],
])('adopt skips the server %j', (entry, left) => {
  const source = loadAdapter('claude-code').adopt?.find(({ kind }) => kind === 'servers');
  if (source?.kind !== 'servers') throw new RangeError('no servers');
  expect(readServer('a', entry, source)).toEqual({ left });
});

describe('readServer with server limits', () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      'codex',
      { enabled_tools: ['a'], disabled_tools: ['b'], tool_timeout_sec: 30 },
      { allowed_tools: ['a'], denied_tools: ['b'], timeout: 30 },
    ],
    [
      'gemini-cli',
      { includeTools: ['a'], excludeTools: ['b'], timeout: 30_000 },
      { allowed_tools: ['a'], denied_tools: ['b'], timeout: 30 },
    ],
    [
      'qwen',
      { includeTools: ['a'], excludeTools: ['b'], timeout: 30_000 },
      { allowed_tools: ['a'], denied_tools: ['b'], timeout: 30 },
    ],
    ['kiro', { disabledTools: ['b'] }, { denied_tools: ['b'] }],
    ['devin', { disabledTools: ['b'] }, { denied_tools: ['b'] }],
    ['claude-code', { timeout: 30_000 }, { timeout: 30 }],
    ['copilot', { tools: ['a'], timeout: 30_000 }, { allowed_tools: ['a'], timeout: 30 }],
    ['pi', { toolExposure: { a: 'hidden' }, timeout: 30 }, { denied_tools: ['a'], timeout: 30 }],
    ['pi', { exposure: 'hidden', toolExposure: { a: 'codemode' } }, { allowed_tools: ['a'] }],
  ])('reads limits of %s and writes them back unchanged', (harness, native, canonical) => {
    const entry = { command: 'wh', ...native };
    const { fields, changes } = read(harness, entry);
    expect(fields).toMatchObject(canonical);
    expect(changes).toEqual([]);
    const { mcp_config } = loadAdapter(harness);
    if ('refused' in mcp_config) throw new RangeError(mcp_config.refused);
    const server = readMcpServer({ type: 'mcp-server', version: '1.0.0', ...fields });
    if (server === undefined) throw new RangeError('no server');
    expect(mcp_config.entry(server)).toMatchObject(native);
  });

  test('ignores a list of all tools', () => {
    expect(read('copilot', { command: 'wh', tools: ['*'] }).fields).toEqual({ command: 'wh' });
  });
});

test('adopt does not treat a standard environment variable as a secret', () => {
  const { fields, changes } = read('claude-code', {
    command: 'wh',
    args: ['--root', '${HOME}/data', '${TOKEN}'],
  });
  expect(fields['args']).toEqual(['--root', '${HOME}/data', '${secret:TOKEN}']);
  expect(changes).toEqual(['${TOKEN} is ${secret:TOKEN}']);
});

test.each(['$HOME', '${HOME}', '${env:HOME}', '{env:HOME}', '${TMPDIR:-/tmp}'])(
  'adopt does not treat the home directory as %s as a secret',
  (reference) => {
    const { fields, changes } = read('cursor', { command: 'wh', env: { ROOT: reference } });
    expect(fields['env']).toEqual({ ROOT: reference });
    expect(changes).toEqual([]);
  },
);
