import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { installedProgram } from '@catalog/testkit/packed-program';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { isOutput, readAnchors, readLinks, readSteps, type Step } from './guide-page.ts';
import { until } from './until.ts';
import { holdUsualPort } from './usual-port.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = 'docs/guide';
/** What stands on the page of the package, where no other file of the repository is. */
const PACKAGE_PAGE = 'packages/cli/README.md';
const pages = [
  'README.md',
  PACKAGE_PAGE,
  ...readdirSync(join(ROOT, GUIDE)).map((name) => `${GUIDE}/${name}`),
];

/** A page may take a reader through dozens of commands. */
const PAGE_TIMEOUT_MS = 120_000;

/** A reader installs the program once; here the packed one is on the path already. */
const INSTALLATION = /^npm install --global /;

describe('what a page shows is what happens', () => {
  for (const page of pages) {
    test(page, { timeout: PAGE_TIMEOUT_MS }, () =>
      follow(readFileSync(join(ROOT, page), 'utf8'), page),
    );
  }

  test.each([
    ['other output', '$ echo one\ntwo', /page:2: \$ echo one[^]*the page says:\ntwo[^]*one$/],
    ['output that is not shown', '$ echo one', /\$ echo one/],
    ['output that is missing', '$ true\none', /\$ true/],
    ['less than is shown after a gap', '$ echo one\n...\none\ntwo', /\$ echo one/],
    ['a failure that is not shown', '$ catalog snyc', /is not a command/],
  ])('%s makes it fail', async (_, lines, complaint) => {
    await expect(follow(`\`\`\`console\n${lines}\n\`\`\`\n`, 'page')).rejects.toThrow(complaint);
  });

  test('a terminal that ends, or says something else, makes it fail', async () => {
    const ended = follow('```terminal\n$ echo one\ntwo\n```\n', 'page');
    await expect(ended).rejects.toThrow(/echo one[^]*two[^]*one/);
  });
});

describe('the way through the guide', () => {
  test.each(pages)('every link of %s leads somewhere', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const dead = readLinks(text).filter(({ path, anchor }) => {
      const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && !readAnchors(readFileSync(file, 'utf8')).has(anchor);
    });
    expect(dead).toEqual([]);
  });

  test('the page of the package links to nothing beside it', () => {
    const packed = join(installedProgram(), 'lib/node_modules/@catalog/cli/README.md');
    const text = readFileSync(packed, 'utf8');
    expect(text).toBe(readFileSync(join(ROOT, PACKAGE_PAGE), 'utf8'));
    expect(readLinks(text)).toEqual([]);
  });

  test('the index names every page', () => {
    const index = readFileSync(join(ROOT, GUIDE, 'README.md'), 'utf8');
    const names = readdirSync(join(ROOT, GUIDE)).filter((name) => name !== 'README.md');
    expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });
});

/**
 * Does what a page says, in an empty folder of a person called `you`, and compares. Paths are shown
 * as that person would see them: without the temporary folder they really lie in.
 */
async function follow(markdown: string, page: string): Promise<void> {
  const root = realpathSync(temporaryFolder('catalog-guide-'));
  const home = join(root, 'home/you');
  const cwd = join(home, 'project');
  mkdirSync(cwd, { recursive: true });
  let status = 0;
  for (const step of readSteps(markdown)) {
    if (step.kind === 'file') {
      const [folder, path] = step.path.startsWith('~/')
        ? [home, step.path.slice('~/'.length)]
        : [cwd, step.path];
      writeTree(folder, { [path]: step.text });
    } else if (step.kind === 'terminal') {
      await startInTerminal(step, { root, cwd, home });
    } else if (!INSTALLATION.test(step.command)) {
      const run = await runInShell(step.command, { cwd, home, status });
      status = run.status;
      const printed = run.output.replaceAll(root, '');
      if (!isOutput(step.output, printed)) {
        throw new Error(
          `${page}:${step.line}: $ ${step.command}\n\nthe page says:\n${step.output.join('\n')}\n\nit printed:\n${printed.trimEnd()}`,
        );
      }
    }
  }
}

interface Place {
  cwd: string;
  home: string;
}

/**
 * Starts a command as in a terminal of its own, and waits until it has printed what the page shows. It
 * is told to stop when the page ends, and has to end well. Registries of pages use the usual port.
 */
async function startInTerminal(
  { command, output, line }: Extract<Step, { kind: 'terminal' }>,
  { root, ...place }: Place & { root: string },
): Promise<void> {
  await holdUsualPort();
  const shell = spawn('bash', ['-c', `exec 2>&1; exec ${command}`], {
    cwd: place.cwd,
    // As a person at a terminal sees it.
    env: { ...environment(place), CATALOG_LOG_FORMAT: 'text' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const read = readOutput(shell);
  const closed = once(shell, 'close');
  onTestFinished(async () => {
    shell.kill('SIGTERM');
    await closed;
  });
  const printed = (): string => read().replaceAll(root, '');
  const isShown = (): boolean => isOutput(output, printed());
  await until(`what line ${line} shows`, () => isShown() || shell.exitCode !== null);
  if (isShown()) return;
  throw new Error(
    `$ ${command}\n\nthe page says:\n${output.join('\n')}\n\nit printed:\n${printed()}`,
  );
}

interface ShellOptions extends Place {
  /** What the command before ended with, for `echo $?`. */
  status: number;
}

/** Runs a line as a person would type it, with `catalog` on the path and nothing else of the tester's. */
async function runInShell(
  command: string,
  { status, ...place }: ShellOptions,
): Promise<{ status: number; output: string }> {
  const shell = spawn('bash', ['-c', `exec 2>&1; (exit ${status}); ${command}`], {
    cwd: place.cwd,
    env: environment(place),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const read = readOutput(shell);
  const [code] = await once(shell, 'close');
  return { status: Number(code ?? 1), output: read() };
}

function environment({ home }: Place): Record<string, string> {
  const path = [join(installedProgram(), 'bin'), dirname(process.execPath), '/usr/bin', '/bin'];
  return { PATH: path.join(delimiter), HOME: home };
}

function readOutput(shell: ChildProcess): () => string {
  let output = '';
  shell.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return () => output;
}
