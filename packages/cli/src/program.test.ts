import { expect, test } from 'vitest';
import { runProgram, type World } from './program.ts';

/** A process of our own: what goes to each stream is kept. */
function openWorld(
  argv: string,
  world: Partial<World> = {},
): World & { out(): string; err(): string } {
  let out = '';
  let err = '';
  return {
    argv: argv.split(' '),
    cwd: () => '/nowhere',
    home: '/nowhere',
    env: {},
    stdin: {},
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    signal: new AbortController().signal,
    now: () => 0,
    out: () => out,
    err: () => err,
    ...world,
  };
}

test('help needs neither a working folder nor stderr', async () => {
  const world = openWorld('--help', {
    cwd: () => expect.fail('asked for the folder'),
    stderr: { write: () => expect.fail('wrote to stderr') },
  });
  expect(await runProgram(world)).toBe(0);
  expect(world.out()).toContain('Usage: catalog');
});

test('a folder that is gone is a plain error', async () => {
  const world = openWorld('status', {
    cwd: () => {
      throw new Error('ENOENT');
    },
  });
  expect(await runProgram(world)).toBe(2);
  expect(world.err()).toContain('error: The current folder no longer exists.');
});

test('what fails after an interrupt is not reported: the person knows', async () => {
  const world = openWorld('status --nothing', { signal: AbortSignal.abort() });
  await runProgram(world);
  expect(world.out() + world.err()).toBe('');
});

test('under --json an error is one document on stdout, and the words are on stderr', async () => {
  const world = openWorld('nothing --json');
  expect(await runProgram(world)).toBe(2);
  expect(JSON.parse(world.out())).toMatchObject({ error: { code: 'config.usage' } });
  expect(world.err()).toContain('error: `catalog nothing` is not a command.');
});

test('under --json no command asks a question, not even in a terminal', async () => {
  let out = '';
  const world = openWorld('webhook delete wh_1 --json', {
    stdin: { isTTY: true },
    stdout: { isTTY: true, write: (text) => (out += text) },
  });
  expect(await runProgram(world)).toBe(2);
  expect(JSON.parse(out)).toMatchObject({ error: { code: 'config.usage' } });
});

test('--json after -- belongs to the command', async () => {
  const world = openWorld('nothing -- --json');
  await runProgram(world);
  expect(world.out()).toBe('');
});

test('help and version are commands with a document of their own', async () => {
  const help = openWorld('sync --help --json');
  expect(await runProgram(help)).toBe(0);
  expect(JSON.parse(help.out())).toMatchObject({ name: 'sync', flags: { watch: { short: 'w' } } });
  const version = openWorld('sync --version');
  expect(await runProgram(version)).toBe(0);
  expect(version.out()).toBe('catalog 0.4.0\n');
});

test('a word that only begins commands is not one', async () => {
  const world = openWorld('config');
  expect(await runProgram(world)).toBe(2);
  expect(world.err()).toContain('`catalog config show`');
});
