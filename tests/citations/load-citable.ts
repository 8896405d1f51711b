import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirementRows } from '@catalog/testkit/requirement-rows';

export function loadCitable(root: string): Set<string> {
  const headings = (page: string, id: RegExp): string[] =>
    readFileSync(join(root, 'docs/specification', page), 'utf8').match(id) ?? [];
  return new Set([
    ...headings('decisions.md', /(?<=^### )SPEC-\d+$/gm),
    ...headings('threats.md', /(?<=^### )T\d{2}$/gm),
    ...readdirSync(join(root, 'docs/decisions'))
      .filter((name) => /^\d{4}-/.test(name))
      .map((name) => `ADR-${name.slice(0, 4)}`),
    ...requirementRows.map(({ id }) => id),
  ]);
}
