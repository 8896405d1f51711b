import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS, type SettingKey } from '@catalog/server/config/settings';
import { expect } from 'vitest';
import { toError, type Reader } from './follow-page.ts';
import { readFences, readProse, stepsOf, type Fence } from './guide-page.ts';

const FOLDER = join(import.meta.dirname, '../../docs/operations');

/** Opens a page for a complete walk: every code block is executed, or skipped with a reason. */
export function openPage(name: string, reader: Reader) {
  const markdown = readFileSync(join(FOLDER, name), 'utf8');
  const fences = readFences(markdown);
  const notDone: { line: number; reason: string }[] = [];
  let at = 0;

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
    async follow(language: string) {
      for (const step of stepsOf(next(language))) {
        const differences = await reader.follow(step);
        if (differences.length > 0) throw toError(name, differences);
      }
    },
    inline(pattern: RegExp): string {
      const [found] = inlines(pattern);
      if (found === undefined) throw new Error(`${name} has no code like ${pattern.source}`);
      return found;
    },
    inlines,
    sections: () => [...readProse(markdown).matchAll(/^## (.*)$/gm)].map(([, title]) => title),
    end() {
      expect(fences.slice(at).map(({ line }) => `${name}:${line}`)).toEqual([]);
      expect(notDone.filter(({ reason }) => reason === '')).toEqual([]);
    },
  };
}

export async function succeed(reader: Reader, command: string): Promise<string> {
  const { status, output } = await reader.run(command);
  expect(status, `$ ${command}\n${output}`).toBe(0);
  return output.trimEnd();
}

export async function untilReady(port: number): Promise<void> {
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status, String), {
      timeout: 60_000,
    })
    .toBe(200);
}

export function variableOf(key: SettingKey): string {
  const setting = SETTINGS[key];
  const [name] = ('env' in setting ? setting.env : undefined) ?? [];
  if (name === undefined) throw new Error(`${key} has no environment variable`);
  return name;
}
