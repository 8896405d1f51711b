import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { adapters, loadAdapter } from '@catalog/harness/registry';
import { temporaryFolder, writeTree, type FileTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { checkFiles, type ParserInput } from '../../tools/services/config-parsers.ts';
import { compareWorkspaces } from './adopt-roundtrip/compare-workspaces.ts';
import { compareHooks } from './adopt-roundtrip/run-hooks.ts';
import { makeRoundTrip, placesIn } from './adopt-roundtrip/trial.ts';
import { cells, FAULTS, TOOLS } from './mcp-offline/table.ts';
import { openJudge } from './mcp-abuse/judge-answers.ts';
import type { KillPlan } from './sync-kill/kill-at-operation.ts';
import { differences, tornOrTouched } from './sync-kill/sync-trial.ts';

describe('the table of cache modes', () => {
  const table = cells();

  test('has every cell exactly once', () => {
    const names = table.map(
      ({ mode, tool, fault, cached }) => `${mode} ${tool} ${fault} ${cached}`,
    );
    expect(new Set(names).size).toBe(3 * TOOLS.length * FAULTS.length * 2);
    expect(names).toHaveLength(240);
  });

  test('expects cached content or an error in offline-only mode', () => {
    const offline = table.filter(({ mode }) => mode === 'offline-only');
    expect(new Set(offline.map(({ cached, answer }) => `${cached} ${answer.kind}`))).toEqual(
      new Set(['true cached', 'false error']),
    );
  });

  test('has the time limit of SPEC-65 for every response', () => {
    for (const { tool, within_ms } of table) {
      expect(within_ms).toBe(tool === 'load_artifact' ? 30_000 : 10_000);
    }
  });
});

describe('the judge of the mcp-abuse test', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":{}}', undefined],
    ['{"jsonrpc":"2.0","id":"a","error":{"code":-32600,"message":"no"}}', undefined],
    ['{"jsonrpc":"2.0","id":2,"result":{}}', 'an answer nobody asked for, to 2'],
    ['{"jsonrpc":"2.0","id":null,"error":{}}', 'an answer to nobody'],
    ['{"jsonrpc":"2.0","method":"notifications/message"}', 'an unasked notifications/message'],
    ['{"jsonrpc":"2.0","id":1}', 'neither a result nor an error'],
    ['hello', 'no JSON on stdout: hello'],
    ['{"id":1,"result":{}}', 'no JSON-RPC on stdout: {"id":1,"result":{}}'],
  ])('judges %s as: %s', (line, problem) => {
    const judge = openJudge();
    for (const id of [1, 'a']) judge.allow(id);
    expect(judge.judge(line)).toBe(problem);
  });

  test('accepts one response per request', () => {
    const judge = openJudge();
    judge.allow(1);
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect([judge.judge(answer), judge.judge(answer)]).toEqual([
      undefined,
      'an answer nobody asked for, to 1',
    ]);
  });
});

describe('the checks of the sync-kill test', () => {
  const before = new Map([
    ['.harness-a/rules/own-rule.md', 'mine'],
    ['notes/todo.md', 'mine'],
    ['.harness-a/skills/own-skill/SKILL.md', 'mine'],
    ['kept', 'old'],
    ['going', 'old'],
  ]);
  const after = new Map([...before, ['kept', 'new'], ['coming', 'new']]);
  after.delete('going');

  test.each<[string, [string, string | undefined][], string[]]>([
    ['nothing happened', [], []],
    [
      'some of it happened',
      [
        ['kept', 'new'],
        ['going', undefined],
      ],
      [],
    ],
    ['a torn file', [['kept', 'ne']], ['kept is neither old nor new']],
    ['a file that was lost', [['kept', undefined]], ['kept is gone']],
    ['a leftover', [['kept.tmp', 'new']], ['kept.tmp is neither old nor new']],
    [
      'a foreign file removed',
      [['notes/todo.md', undefined]],
      ['notes/todo.md is gone', "notes/todo.md is not catalog's and was touched"],
    ],
  ])('check a tree: %s', (_, changes, wrong) => {
    const found = new Map(before);
    for (const [path, hash] of changes) {
      if (hash === undefined) found.delete(path);
      else found.set(path, hash);
    }
    expect(tornOrTouched(found, before, after, new Set())).toEqual(wrong);
  });

  test('accept one file that is moved aside', () => {
    const first = new Map([...before, ['second', 'other']]);
    const last = new Map([...after, ['second', 'new']]);
    const found = new Map(first);
    found.delete('kept');
    const aside = new Set(['old', 'other']);
    expect(tornOrTouched(found, first, last, aside)).toEqual([]);
    found.delete('second');
    expect(tornOrTouched(found, first, last, aside)).toEqual(['second is gone']);
  });

  test('list the differences', () => {
    expect(differences(before, after)).toEqual(['coming', 'going', 'kept']);
  });
});

describe('kill-at-operation', () => {
  const preload = pathToFileURL(join(import.meta.dirname, 'sync-kill/kill-at-operation.ts')).href;

  function runKilled(plan: Partial<KillPlan>) {
    const folder = temporaryFolder();
    writeTree(folder, {
      'program.mjs': `
        import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
        const [folder] = process.argv.slice(2);
        readFileSync(import.meta.filename);
        writeFileSync(folder + '/first', 'whole');
        const descriptor = openSync(folder + '/temporary', 'wx');
        writeSync(descriptor, Buffer.from('12345678'));
        closeSync(descriptor);
        renameSync(folder + '/temporary', folder + '/sync.lock');
      `,
      'target/there': '',
    });
    const target = join(folder, 'target');
    const counts = join(folder, 'counts.json');
    const { signal } = spawnSync(
      process.execPath,
      ['--import', preload, join(folder, 'program.mjs'), target],
      { env: { KILL_PLAN: JSON.stringify({ under: target, counts, ...plan }) } },
    );
    const read = (name: string): string | undefined =>
      existsSync(join(target, name)) ? readFileSync(join(target, name), 'utf8') : undefined;
    return { signal, counts: existsSync(counts) ? readFileSync(counts, 'utf8') : undefined, read };
  }

  test('counts the calls that change the target, and finds the lock', () => {
    const { signal, counts } = runKilled({});
    expect(signal).toBeNull();
    expect(counts).toBe('{"operations":4,"lock_operation":4}');
  });

  test.each<[KillPlan['how'], number, string, string | undefined]>([
    ['before', 1, 'first', undefined],
    ['half-way', 1, 'first', 'wh'],
    ['after', 1, 'first', 'whole'],
    ['before', 3, 'temporary', ''],
    ['half-way', 3, 'temporary', '1234'],
    ['after', 3, 'temporary', '12345678'],
    ['before', 4, 'sync.lock', undefined],
    ['after', 4, 'sync.lock', '12345678'],
  ])('killed %s operation %s leaves %s as %s', (how, at, name, content) => {
    const { signal, read } = runKilled(how === undefined ? { at } : { at, how });
    expect(signal).toBe('SIGKILL');
    expect(read(name)).toBe(content);
  });
});

test('parsers of other authors detect every kind of loss in a merged file', async () => {
  const server = { shape: 'map', container: ['s'], key: 'ours', value: { command: 'yes' } };
  const element = { shape: 'array', container: ['l'], key: 'id', value: { a: 1 } };
  const block = { shape: 'block', container: [], key: 'id', value: 'text\n' };
  const file = (
    format: ParserInput['format'],
    text: string,
    mine: string,
    ...wanted: ParserInput['wanted']
  ): ParserInput => ({ format, text, mine, wanted });
  const yaml = 's:\n  ours:\n    command: "yes"\n';
  const sound = [
    file('json', '\uFEFF{"b": 1, // c\n "s": {"ours": {"command": "yes"},}}', '{"b": 1}', server),
    file('toml', 'b = 1\nl = [{ a = 1 }]\n[s.ours]\ncommand = "yes"\n', 'b = 1', server, element),
    file('yaml', `b: |\n  x\n${yaml}`, 'b: |\n  x\n', server),
    file('markdown', 'a\n<!-- catalog:begin:id -->\ntext\n<!-- catalog:end:id -->\n', 'a', block),
  ];
  const lost = [
    file('json', '{"b": 1 "s": {}}', '{"b": 1}'),
    file('json', '{"b": 1, "b": 1}', '{"b": 1}'),
    file('toml', 'b = 1\n', 'b = 1', server),
    file('toml', 'l = [{ a = 2 }]\n', '', element),
    file('yaml', yaml.replaceAll('"', ''), '', server),
    file('yaml', `b: |\n  x\n  # y\n${yaml}`, 'b: |\n  x\n', server),
    file('markdown', 'a\n<!-- catalog:begin:id -->\n<!-- catalog:end:id -->\n', 'a', block),
    file('markdown', '<!-- catalog:begin:id -->text<!-- catalog:end:id -->\n', 'a', block),
  ];
  const complaints = await checkFiles([...sound, ...lost], temporaryFolder());
  const numbers = new Set(complaints.map(({ number }) => number));
  expect([...numbers]).toEqual(lost.map((_, index) => sound.length + index));
}, 120_000);

describe('the checks of the adopt-roundtrip test', () => {
  const claudeCode = loadAdapter('claude-code');
  const guard = 'cat > "$SEEN"; echo "hook-1 says no" >&2; exit 2';

  function settings(command: string, more: object = {}): string {
    const hook = { matcher: '^Read$', hooks: [{ type: 'command', command }], ...more };
    return JSON.stringify({ hooks: { PreToolUse: [hook] } });
  }

  const before: FileTree = {
    '.claude/agents/a.md': '---\nname: a\ndescription: A thing.\n---\nDo it.\n',
    '.claude/skills/b/SKILL.md': '---\nname: b\n---\nDo it.\n',
    '.claude/skills/b/run.sh': { x: 'true\n' },
    '.claude/settings.json': settings(guard),
    '.mcp.json': '{"mcpServers": {"c": {"command": "c", "args": ["d"]}}}',
    'CLAUDE.md': 'Rules.\n',
  };

  function folders(changes: FileTree): [string, string] {
    const folder = temporaryFolder();
    writeTree(join(folder, 'before'), before);
    writeTree(join(folder, 'after'), { ...before, ...changes });
    return [join(folder, 'before'), join(folder, 'after')];
  }

  test('accept keys in another order and markers', () => {
    const after = folders({
      '.claude/agents/a.md': '---\ndescription: A thing.\nname: a\n---\nDo it.\n',
      '.claude/settings.json': settings(`sh -c '${guard}'`, { 'x-catalog-id': 'hooks/a' }),
      '.mcp.json':
        '{"x-catalog": {"c": ["mcpServers", "c"]}, "mcpServers": {"c": {"args": ["d"], "command": "c"}}}',
      'CLAUDE.md': '<!-- catalog:begin:r/c -->\nRules.\n<!-- catalog:end:r/c -->\n',
    });
    expect(compareWorkspaces(...after, claudeCode)).toEqual([]);
    expect(compareHooks(...after, claudeCode, 9)).toEqual({ tried: 1, differences: [] });
  });

  const adopted = [...adapters.values()].filter(({ adopt }) => adopt !== undefined);
  test.each(adopted.map(({ id }) => id))('find no loss for %s', async (harness) => {
    for (const scope of ['workspace', 'user'] as const) {
      const trip = await makeRoundTrip(placesIn(temporaryFolder()), { harness, scope });
      expect(trip.losses).toEqual([]);
    }
  });

  test.each<[string, FileTree, string]>([
    ['a key', { '.claude/agents/a.md': '---\nname: a\n---\nDo it.\n' }, 'description'],
    [
      'prose',
      { '.claude/agents/a.md': '---\nname: a\ndescription: A thing.\n---\nDo it\n' },
      'prose',
    ],
    ['a bit', { '.claude/skills/b/run.sh': 'true\n' }, 'mode'],
    ['a byte of a file', { '.claude/skills/b/run.sh': { x: 'true \n' } }, 'prose'],
    [
      'an argument of a server',
      { '.mcp.json': '{"mcpServers": {"c": {"command": "c"}}}' },
      'mcpServers',
    ],
    ['a matcher', { '.claude/settings.json': settings(guard, { matcher: '' }) }, 'hooks'],
    ['text outside our marks', { 'CLAUDE.md': 'Rules.\n\nMore.\n' }, 'prose'],
    ['a file too many', { '.claude/rules/d.md': 'D.\n' }, 'was not there before'],
  ])('find a difference: %s', (_, changes, what) => {
    const differences = compareWorkspaces(...folders(changes), claudeCode);
    expect(differences).toEqual([{ path: Object.keys(changes)[0], what }]);
  });

  test.each([
    ['does not stop', 'cat > "$SEEN"; echo "hook-1 says no" >&2'],
    ['says something else', 'cat > "$SEEN"; echo "hook-2 says no" >&2; exit 2'],
    ['does not hear', 'echo "hook-1 says no" >&2; exit 2'],
    ['hears something else', 'echo "{}" > "$SEEN"; echo "hook-1 says no" >&2; exit 2'],
  ])('find a difference: a hook that %s', (_, command) => {
    const after = folders({ '.claude/settings.json': settings(command) });
    expect(compareHooks(...after, claudeCode, 9).differences).toHaveLength(1);
  });
});
