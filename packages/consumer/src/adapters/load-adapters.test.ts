import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { loadConfig } from '../config/load-config.ts';
import { runSync } from '../sync/run-sync.ts';
import type { SyncReport } from '../sync/report.ts';
import type { SyncOptions } from '../sync/sync-options.ts';

const EVENTS = `Object.fromEntries(${JSON.stringify([
  'session_start',
  'session_end',
  'user_prompt_submit',
  'pre_tool_use',
  'post_tool_use',
  'post_tool_use_failure',
  'pre_shell_execution',
  'post_shell_execution',
  'pre_mcp_execution',
  'post_mcp_execution',
  'pre_read_file',
  'post_file_edit',
  'permission_request',
  'permission_denied',
  'subagent_start',
  'subagent_stop',
  'stop',
  'pre_compact',
  'post_compact',
  'notification',
])}.map((event) => [event, event === 'stop' ? {event: 'onStop'} : undefined]))`;

function adapterText(changes: Record<string, string> = {}): string {
  const members: Record<string, string> = {
    id: "'acme'",
    summary: "'the agent of Acme'",
    revision: '1',
    detect: "['.acme']",
    skill: "{folders: ['.acme/skills']}",
    agent: "{refused: 'Acme has no agents'}",
    command: "{path: '.acme/commands/{name}.md'}",
    rule: "{into: 'block', path: 'ACME.md', modes: {always: 'native', glob: 'native', auto: 'native', explicit: 'native'}}",
    hook: `{into: 'entry', path: '.acme/settings.json', container: ['hooks'], recorded: 'lock', events: ${EVENTS}, without_event: 'refused', entry: kit.groupedHook}`,
    mcp_server:
      "{project: {path: '.acme/mcp.json', container: ['servers'], recorded: 'lock'}, entry: kit.mcpEntry({secret: (name) => '$' + name})}",
    fields: "'native'",
    ...changes,
  };
  const lines = Object.entries(members).map(([key, value]) => `  ${key}: ${value},\n`);
  return `export default (kit) => ({\n${lines.join('')}});\n`;
}

const CATALOG: FileTree = {
  'ops/check/ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
  'ops/check/SKILL.md': '---\nname: check\ndescription: Checks.\n---\nCheck.\n',
  'ops/log/ARTIFACT.md':
    '---\ntype: hook\nversion: 1.0.0\ndescription: Logs.\nhook_event: stop\nhook_action: "true"\n---\n',
};

interface Place {
  target: string;
  sync: (options?: Partial<SyncOptions>, harness?: string) => Promise<SyncReport>;
}

function createPlace(files: FileTree, adapters = '[./adapters/acme.mjs]'): Place {
  const root = temporaryFolder();
  const target = `${root}/work`;
  writeTree(`${root}/registry`, CATALOG);
  mkdirSync(target);
  writeTree(target, { '.catalog/sync.yaml': `adapters: ${adapters}\n`, ...files });
  return {
    target,
    sync: (options = {}, harness = 'acme') => {
      const env = { CATALOG_REGISTRY: `${root}/registry` };
      const input = { cwd: target, home: `${root}/home`, env, flags: { harness } };
      return runSync(loadConfig(input), { mode: 'sync', wait_ms: 0, ...options });
    },
  };
}

describe('third-party adapters', () => {
  verifies(
    'DELIV-07',
    'an adapter is selectable by its id once its module is trusted',
    async () => {
      const place = createPlace({ 'adapters/acme.mjs': adapterText() });
      await expect(place.sync()).rejects.toMatchObject({
        code: 'config.untrusted',
        details: { wants: ['adapter ./adapters/acme.mjs'] },
      });
      await place.sync({ trust: true });
      expect(readFileSync(`${place.target}/.acme/skills/check/SKILL.md`, 'utf8')).toContain(
        'Check.',
      );
      expect(JSON.parse(readFileSync(`${place.target}/.acme/settings.json`, 'utf8'))).toEqual({
        hooks: { onStop: [{ hooks: [{ type: 'command', command: 'true' }] }] },
      });
      const again = await place.sync();
      expect(again.targets[0]?.changes).toEqual([]);
    },
  );

  test('loads an adapter from a package installed in the workspace', async () => {
    const manifest = '{"name": "acme-catalog", "type": "module", "exports": "./index.js"}';
    const place = createPlace(
      {
        'node_modules/acme-catalog/package.json': manifest,
        'node_modules/acme-catalog/index.js': adapterText(),
      },
      '[acme-catalog]',
    );
    const { targets } = await place.sync({ trust: true });
    expect(targets[0]?.artifacts).toHaveLength(2);
  });

  test('requires approval again after the adapter changes', async () => {
    const place = createPlace({ 'adapters/acme.mjs': adapterText() });
    await place.sync({ trust: true });
    writeTree(place.target, { 'adapters/acme.mjs': adapterText({ revision: '2' }) });
    await expect(place.sync()).rejects.toMatchObject({
      code: 'config.untrusted',
      details: { changed: true },
    });
  });

  test('runs the approved content even if the file changes after approval', async () => {
    const place = createPlace({ 'adapters/acme.mjs': adapterText() });
    const confirmTrust = () => {
      writeTree(place.target, { 'adapters/acme.mjs': 'throw new Error("another text");' });
      return Promise.resolve(true);
    };
    const { targets } = await place.sync({ confirmTrust });
    expect(targets[0]?.artifacts).toHaveLength(2);
    await expect(place.sync()).rejects.toMatchObject({ code: 'config.untrusted' });
  });

  test('loads the current content even if an older version was loaded before', async () => {
    const place = createPlace({ 'adapters/acme.mjs': adapterText() });
    await place.sync({ trust: true });
    const changed = adapterText({ revision: '2', skill: "{folders: ['.acme/other']}" });
    writeTree(place.target, { 'adapters/acme.mjs': changed });
    await place.sync({ trust: true });
    expect(existsSync(`${place.target}/.acme/other/check/SKILL.md`)).toBe(true);
  });

  test('plans again if the content changes, even with the same revision', async () => {
    const place = createPlace({ 'adapters/acme.mjs': adapterText() });
    await place.sync({ trust: true });
    const other = adapterText({ skill: "{folders: ['.acme/abilities']}" });
    writeTree(place.target, { 'adapters/acme.mjs': other });
    const [report] = (await place.sync({ trust: true })).targets;
    expect(report?.changes.map(({ path, change }) => `${change} ${path}`)).toEqual([
      'added .acme/abilities/check/SKILL.md',
      'removed .acme/skills/check/SKILL.md',
    ]);
  });

  test.each([
    ['an import', 'import "./more.mjs"; export default {};', 'it imports another module'],
    ['a later import', 'await import("./more.mjs");', 'it imports another module'],
    ['no default export', 'export const x = 1;', 'has no declaration as its default export'],
    ['a throw', 'throw new Error("out of luck");', 'cannot be loaded: out of luck'],
    ['the id of another', adapterText({ id: "'harness-a'" }), 'is already the name of a harness'],
    ['an id no command line takes', adapterText({ id: "'Acme!'" }), 'has no `id`'],
    ['no landing', adapterText({ rule: 'undefined' }), 'has no landing for `rule`'],
    ['a path out of the target', adapterText({ command: "{path: '../{name}.md'}" }), '`command`'],
    [
      'a missing event',
      adapterText({ hook: "{into: 'file', path: 'x', events: {}}" }),
      'session_start',
    ],
    ['a format of nothing', adapterText({ marketplace: "'git'" }), 'a `marketplace` that is no'],
    [
      'a format without documents',
      adapterText({ marketplace: "{id: 'acme', revision: 1, plugins: 'many'}" }),
      'a `marketplace` without `documents`',
    ],
    ['a context somewhere else', adapterText({ context: "'.acme'" }), 'a `context` that is not'],
    ['an extension that leads out', adapterText({ extension: "'../x'" }), 'an `extension` whose'],
    ['a server file without a form', adapterText({ mcp_config: '{}' }), '`mcp_config` without'],
    ['a budget of nothing', adapterText({ budget: '{}' }), 'has a `budget` without `types`'],
    [
      'a budget nobody can compute with',
      adapterText({ budget: "{types: ['skill'], listing: {limit: 5}}" }),
      'has no `around`',
    ],
    [
      'a budget without a number',
      adapterText({ budget: "{types: ['skill'], description: {limit: 'much'}}" }),
      'a limit that is not a number',
    ],
    [
      'a render that is a text',
      adapterText({ command: "{path: 'x/{name}.md', render: 'x'}" }),
      'whose `render` is not a function',
    ],
    [
      'a key that is taken somehow',
      adapterText({ command: "{path: 'x/{name}.md', takes: {model: true}}" }),
      'whose `takes` has something other',
    ],
    ['a file of rules by its name', adapterText({ also_reads: "['AGENTS.md']" }), '`also_reads`'],
    ['a limit of nothing', adapterText({ rules_limit: "{path: 'ACME.md'}" }), '`rules_limit`'],
    ['a former place by its path', adapterText({ former: "['.acme/x']" }), '`former`'],
    [
      'a path inside version control',
      adapterText({ command: "{path: '.git/hooks/{name}'}" }),
      'belongs to version control',
    ],
    [
      "a path among catalog's own files",
      adapterText({ command: "{path: '.catalog/sync.yaml'}" }),
      "reserved for catalog's own files",
    ],
    [
      'a user that is not an object',
      adapterText({ user: '1' }),
      'has a `user` that is not an object',
    ],
  ])('rejects an adapter with %s and reports the reason', async (_, text, reason) => {
    const place = createPlace({ 'adapters/acme.mjs': text });
    await expect(place.sync({ trust: true })).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(reason),
    });
  });

  test.each([
    [
      'an object for pairs',
      "(artifact) => kit.projectDocument(artifact, {name: 'x'})",
      "fails on ops/ship: kit.projectDocument takes the artifact and a list of pairs, [['name', value], ...].",
    ],
    [
      'a list for an object',
      '() => kit.tomlDocument([])',
      'fails on ops/ship: kit.tomlDocument takes an object, {name: value, ...}.',
    ],
    [
      'a throw',
      "() => { throw new Error('out of luck') }",
      'the adapter ./adapters/acme.mjs fails on ops/ship: out of luck.',
    ],
    ['a promise', 'async () => "text"', 'gives for ops/ship neither a string nor'],
    ['nothing', '() => null', 'gives for ops/ship neither a string nor'],
    ['a number', '() => 7', 'gives for ops/ship neither a string nor'],
  ])(
    'names the artifact if the render function of the adapter produces %s',
    async (_, render, reason) => {
      const command = `{path: '.acme/commands/{name}.md', render: ${render}}`;
      const place = createPlace({ 'adapters/acme.mjs': adapterText({ command }) });
      writeTree(`${place.target}/../registry`, {
        'ops/ship/ARTIFACT.md':
          '---\ntype: command\nversion: 1.0.0\ndescription: Ships.\n---\nShip.\n',
      });
      const error: unknown = await place.sync({ trust: true }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'config.invalid',
        message: expect.stringContaining(reason),
        suggested_action: expect.stringContaining('write-an-adapter'),
      });
      const cause = error instanceof Error ? error.cause : undefined;
      const trace = cause instanceof Error ? (cause.stack ?? '') : '';
      expect(trace).not.toContain('data:');
      if (render.includes('throw')) expect(trace).toContain('./adapters/acme.mjs:');
    },
  );

  test('reports the path or package name of a missing adapter', async () => {
    await expect(createPlace({}).sync({ trust: true })).rejects.toMatchObject({
      message: expect.stringContaining('cannot be read at'),
    });
    await expect(createPlace({}, '[acme-catalog]').sync({ trust: true })).rejects.toMatchObject({
      message: expect.stringContaining('is not installed in'),
    });
  });
});
