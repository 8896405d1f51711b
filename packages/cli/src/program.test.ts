import { expect, test } from 'vitest';
import { runProgram, type ProcessEnvironment } from './program.ts';

function openWorld(
  argv: string,
  world: Partial<ProcessEnvironment> = {},
): ProcessEnvironment & { out(): string; err(): string } {
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

test('prints help without reading the working directory or opening stderr', async () => {
  const world = openWorld('--help', {
    cwd: () => expect.fail('asked for the folder'),
    stderr: { write: () => expect.fail('wrote to stderr') },
  });
  expect(await runProgram(world)).toBe(0);
  expect(world.out()).toContain('Usage: catalog');
});

test('reports a usage error if the working directory no longer exists', async () => {
  const world = openWorld('status', {
    cwd: () => {
      throw new Error('ENOENT');
    },
  });
  expect(await runProgram(world)).toBe(2);
  expect(world.err()).toContain('error: The current folder no longer exists.');
});

test('prints nothing if a command fails after an interrupt', async () => {
  const world = openWorld('status --nothing', { signal: AbortSignal.abort() });
  await runProgram(world);
  expect(world.out() + world.err()).toBe('');
});

test('with --json, prints an error as a document on stdout and as text on stderr', async () => {
  const world = openWorld('nothing --json');
  expect(await runProgram(world)).toBe(2);
  expect(JSON.parse(world.out())).toMatchObject({ error: { code: 'config.usage' } });
  expect(world.err()).toContain('error: `catalog nothing` is not a command.');
});

test('does not prompt with --json, even on a terminal', async () => {
  let out = '';
  const world = openWorld('webhook delete wh_1 --json', {
    stdin: { isTTY: true },
    stdout: { isTTY: true, write: (text) => (out += text) },
  });
  expect(await runProgram(world)).toBe(2);
  expect(JSON.parse(out)).toMatchObject({ error: { code: 'config.usage' } });
});

test('passes --json after -- to the command', async () => {
  const world = openWorld('nothing -- --json');
  await runProgram(world);
  expect(world.out()).toBe('');
});

test('prints help and version as documents with --json', async () => {
  const help = openWorld('sync --help --json');
  expect(await runProgram(help)).toBe(0);
  expect(JSON.parse(help.out())).toMatchObject({ name: 'sync', flags: { watch: { short: 'w' } } });
  const version = openWorld('sync --version');
  expect(await runProgram(version)).toBe(0);
  expect(version.out()).toBe('catalog 0.4.0\n');
});

test('rejects a command group without a subcommand', async () => {
  const world = openWorld('config');
  expect(await runProgram(world)).toBe(2);
  expect(world.err()).toContain('`catalog config show`');
});
