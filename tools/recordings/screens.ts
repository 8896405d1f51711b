import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { TmuxProgram } from '../services/tmux.ts';
import { openTerminal, type TerminalSession } from './terminal-session.ts';
import { drawScreen } from './terminal-svg.ts';

const ROOT = join(import.meta.dirname, '../..');

type Step =
  | { type: string; exit: number }
  | { type: string; shows: string }
  | { press: string; shows: string };

export interface Screen {
  /** Relative to the repository. */
  path: string;
  title: string;
  columns: number;
  rows: number;
  env?: Record<string, string>;
  /** By path relative to the working directory of the commands. */
  files?: Record<string, string>;
  /** Relative to the repository; copied to `registry`. */
  registry?: string;
  steps: readonly Step[];
}

const FAULTY_SKILL = `---
type: skill
version: 1.0
sensitvity: low
---
`;

const SKILL_MD = `---
name: release-check
description: Checks a release. Use it before a release.
---

Run the tests, then read the changelog.
`;

export const screens: readonly Screen[] = [
  {
    path: 'docs/guide/screens/catalog.svg',
    title: 'catalog without arguments lists the common commands',
    columns: 90,
    rows: 34,
    steps: [{ type: 'catalog', exit: 0 }],
  },
  {
    path: 'docs/guide/screens/init.svg',
    title: 'catalog init asks for the registry and the harnesses',
    columns: 90,
    rows: 34,
    steps: [
      { type: 'catalog init', shows: 'Registry: a folder or a server URL' },
      { type: './artifacts', shows: 'Harnesses to install into' },
      { press: 'Tab', shows: '◼ claude-code' },
      { press: 'Down', shows: '◼ claude-code' },
      { press: 'Down', shows: '◼ claude-code' },
      { press: 'Down', shows: '◼ claude-code' },
      { press: 'Tab', shows: '◼ cursor' },
    ],
  },
  {
    path: 'docs/guide/screens/sync.svg',
    title: 'catalog sync installs artifacts into four harnesses',
    columns: 90,
    rows: 34,
    registry: 'tests/fixtures/harness-programs/registry',
    steps: [
      {
        type: 'catalog sync --registry ./registry --harness claude-code,cursor,copilot,gemini-cli',
        exit: 0,
      },
      {
        type: 'catalog sync --registry ./registry --harness claude-code,cursor,copilot,gemini-cli',
        exit: 0,
      },
    ],
  },
  {
    path: 'docs/guide/screens/serve.svg',
    title: 'catalog serve runs a registry server',
    columns: 90,
    rows: 34,
    env: { CATALOG_BIND: '127.0.0.1:0', CATALOG_LOG_LEVEL: 'warn' },
    files: { 'skills/ops/release-check/SKILL.md': SKILL_MD },
    steps: [{ type: 'catalog serve --layer-path skills', shows: 'press Ctrl-C' }],
  },
  {
    path: 'docs/guide/screens/error.svg',
    title: 'An error states what failed, its code and what to do next',
    columns: 90,
    rows: 34,
    steps: [
      { type: 'catalog snyc', exit: 2 },
      { type: 'catalog sync --registry ./artifacts', exit: 2 },
    ],
  },
  {
    path: 'docs/guide/screens/lint.svg',
    title: 'catalog lint reports where a problem is, why it matters and how to fix it',
    columns: 138,
    rows: 34,
    files: {
      'ops/release-check/ARTIFACT.md': FAULTY_SKILL,
      'ops/release-check/SKILL.md': SKILL_MD,
    },
    steps: [{ type: 'catalog lint .', exit: 1 }],
  },
];

export async function drawTerminalScreen(
  screen: Screen,
  bin: string,
  tmux: TmuxProgram,
): Promise<string> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'catalog-screen-')));
  const folder = join(home, 'project');
  mkdirSync(folder);
  for (const [path, content] of Object.entries(screen.files ?? {})) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  if (screen.registry !== undefined) {
    cpSync(join(ROOT, screen.registry), join(folder, 'registry'), { recursive: true });
  }
  const path = [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const { columns, rows, steps, title } = screen;
  try {
    const env = { ...screen.env, PATH: path };
    const session = await openTerminal({ tmux, home, folder, columns, rows, env });
    try {
      for (const step of steps) await take(step, session);
      const lines = session.capture().map(withoutAccidents).filter(isNoPrompt);
      return drawScreen(title, columns, withoutProgress(lines));
    } finally {
      session.close();
    }
  } finally {
    // Killed programs may still write for a moment.
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function take(step: Step, session: TerminalSession): Promise<void> {
  if ('press' in step) {
    session.press(step.press);
    return session.waitForText(step.shows);
  }
  session.type(step.type);
  session.press('Enter');
  if ('shows' in step) return session.waitForText(step.shows);
  const code = await session.waitForExit();
  if (code !== step.exit) {
    const printed = session.capture().join('\n');
    throw new Error(`${step.type}: exit ${code} instead of ${step.exit}\n${printed}`);
  }
}

function isNoPrompt(line: string, index: number, lines: readonly string[]): boolean {
  return index < lines.length - 1 || line !== '$';
}

/** The line about ingests in progress appears only on a slow machine. */
function withoutProgress(lines: readonly string[]): string[] {
  const kept = lines.filter((line) => !line.includes('ingesting '));
  while (kept.at(-1) === '') kept.pop();
  return kept;
}

function withoutAccidents(line: string): string {
  return line.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080');
}
