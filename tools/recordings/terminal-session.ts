import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TmuxProgram } from '../services/tmux.ts';

export interface TerminalOptions {
  tmux: TmuxProgram;
  home: string;
  folder: string;
  columns: number;
  rows: number;
  /** In addition to HOME. */
  env: Record<string, string>;
}

export interface TerminalSession {
  type: (text: string) => void;
  /** Keys have names of tmux, such as `Enter`. */
  press: (key: string) => void;
  waitForText: (text: string) => Promise<void>;
  /** Resolves with the exit code of the command that was typed last. */
  waitForExit: () => Promise<number>;
  /** Includes color sequences, without trailing empty lines. */
  capture: () => string[];
  close: () => void;
}

const PROMPT = '$ ';
const POLL_MS = 50;
const TIMEOUT_MS = 30_000;

export async function openTerminal(options: TerminalOptions): Promise<TerminalSession> {
  const { tmux, home, folder, columns, rows, env } = options;
  const exits = join(home, '.exits');
  const run = (...words: string[]): string =>
    execFileSync(tmux.program, ['-S', join(home, '.tmux'), '-f', '/dev/null', '-u', ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...tmux.env,
        ...env,
        HOME: home,
        LANG: 'C.UTF-8',
      },
    });
  const screen = (...words: string[]): string => run('capture-pane', '-p', ...words).trimEnd();
  const readExits = (): string[] =>
    existsSync(exits) ? readFileSync(exits, 'utf8').trimEnd().split('\n') : [];

  async function waitUntil(isReached: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!isReached()) {
      if (Date.now() > deadline) throw new Error(`Timed out waiting for ${what}:\n${screen()}`);
      await sleep(POLL_MS);
    }
  }

  async function waitForPrompt(): Promise<void> {
    seen += 1;
    await waitUntil(() => readExits().length >= seen, 'the command to end');
    await waitUntil(() => `${screen()} `.endsWith(`\n${PROMPT}`) || screen() === '$', 'the prompt');
  }

  let seen = 0;
  const size = ['-x', String(columns), '-y', String(rows)];
  const settings = join(home, '.shell-settings');
  writeFileSync(settings, `PS1='${PROMPT}'\nPROMPT_COMMAND='echo $? >> "${exits}"'\n`);
  const shell = `exec env -u LD_LIBRARY_PATH bash --noprofile --rcfile '${settings}'`;
  run('new-session', '-d', ...size, shell);
  const session: TerminalSession = {
    type: (text) => void run('send-keys', '-l', text),
    press: (key) => void run('send-keys', key),
    waitForText: (text) => waitUntil(() => screen().includes(text), JSON.stringify(text)),
    waitForExit: async () => {
      await waitForPrompt();
      return Number(readExits()[seen - 1]);
    },
    capture: () => {
      const lines = screen('-e').split('\n');
      return lines.map((line) => line.trimEnd());
    },
    close: () => void run('kill-server'),
  };
  try {
    await waitForPrompt();
  } catch (error) {
    session.close();
    throw error;
  }
  return session;
}
