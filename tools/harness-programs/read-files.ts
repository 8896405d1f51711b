import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Returns an empty object for a file without frontmatter. */
export function readFrontmatter(path: string): Record<string, unknown> {
  return parse(betweenFences(readFileSync(path, 'utf8'))) ?? {};
}

/** Literal values of unindented keys. Does not parse YAML, on purpose. */
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
