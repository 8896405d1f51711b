import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS, type SettingKey } from '@catalog/server/config/settings';
import { expect } from 'vitest';
import { toError, type Reader } from './follow-page.ts';
import { readFences, readProse, stepsOf, type Fence } from './guide-page.ts';

const FOLDER = join(import.meta.dirname, '../../docs/operations');

/**
 * A page that is read from the first line to the last. Each block of code is done, or has a reason why
 * it cannot be done here.
 */
export function openPage(name: string, reader: Reader) {
  const markdown = readFileSync(join(FOLDER, name), 'utf8');
  const fences = readFences(markdown);
  const notDone: { line: number; reason: string }[] = [];
  let at = 0;

  /** The next block, which is expected to be in this language. */
  function next(language: string): Fence {
    const fence = fences[at++];
    const place = `${name}:${fence?.line ?? 'end'}`;
    if (fence?.language !== language) throw new Error(`${place} is not in ${language}`);
    return fence;
  }

  function inlines(pattern: RegExp): string[] {
    const prose = readProse(markdown).replaceAll(/\s+/g, ' ');
    const codes = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
    return codes.filter((code) => pattern.test(code));
  }

  return {
    next: (language: string) => next(language).lines.join('\n'),
    skip(language: string, reason: string) {
      notDone.push({ line: next(language).line, reason });
    },
    /** Writes the file, or runs the commands, of the next block, and compares the output. */
    async follow(language: string) {
      for (const step of stepsOf(next(language))) {
        const differences = await reader.follow(step);
        if (differences.length > 0) throw toError(name, differences);
      }
    },
    /** Code inside a sentence or a table. */
    inline(pattern: RegExp): string {
      const [found] = inlines(pattern);
      if (found === undefined) throw new Error(`${name} has no code like ${pattern.source}`);
      return found;
    },
    inlines,
    /** The titles of its sections, for steps that are only in sentences. */
    sections: () => [...readProse(markdown).matchAll(/^## (.*)$/gm)].map(([, title]) => title),
    /** Every block was done, or skipped with a reason. */
    end() {
      expect(fences.slice(at).map(({ line }) => `${name}:${line}`)).toEqual([]);
      expect(notDone.filter(({ reason }) => reason === '')).toEqual([]);
    },
  };
}

/** Runs a command that must succeed; returns its output. */
export async function succeed(reader: Reader, command: string): Promise<string> {
  const { status, output } = await reader.run(command);
  expect(status, `$ ${command}\n${output}`).toBe(0);
  return output.trimEnd();
}

/** Waits until a registry on this port is ready. */
export async function untilReady(port: number): Promise<void> {
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status, String), {
      timeout: 60_000,
    })
    .toBe(200);
}

/** The environment variable of a setting. */
export function variableOf(key: SettingKey): string {
  const setting = SETTINGS[key];
  const [name] = ('env' in setting ? setting.env : undefined) ?? [];
  if (name === undefined) throw new Error(`${key} has no environment variable`);
  return name;
}
