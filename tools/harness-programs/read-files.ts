import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** What stands between the fences, as YAML; a file without fences has no keys. */
export function readFrontmatter(path: string): Record<string, unknown> {
  return parse(betweenFences(readFileSync(path, 'utf8'))) ?? {};
}

/** The keys at the left edge between the fences, their values as they stand; not YAML on purpose. */
export function readPlainFrontmatter(path: string): Record<string, string> {
  const keys = betweenFences(readFileSync(path, 'utf8'))
    .split('\n')
    .flatMap((line) => {
      const [, key, value] = line.match(/^([\w-]+):\s*(.*)$/) ?? [];
      return key === undefined ? [] : [[key, value ?? '']];
    });
  return Object.fromEntries(keys);
}

function betweenFences(text: string): string {
  return text.match(/^---\n(.*?)^---$/ms)?.[1] ?? '';
}
