import {
  FRONTMATTER_KEYS,
  type FrontmatterKey,
  type MergeRule,
} from '@catalog/core/artifact/frontmatter-keys';
import { DOMAIN_KEYS } from '@catalog/core/domain/read-domain';
import { code, page, table } from './markdown.ts';

const FILES: Readonly<Record<FrontmatterKey['file'], string>> = {
  artifact: '`ARTIFACT.md`',
  skill: '`SKILL.md`',
  both: '`ARTIFACT.md`; for a skill `SKILL.md`',
};

const MERGES: Readonly<Record<MergeRule, string>> = {
  child: 'its own value, else its parent’s',
  own: 'its own value or none',
  removed: 'none',
  version: 'its own; required',
  type: 'the one it shares with its parent',
  deprecated: 'true if either is true',
  union: 'its parent’s entries, then its own new ones',
  concat: 'all entries of both, its parent’s first',
  intersection: 'the entries both have; if only one has the key, its entries',
  'max-sensitivity': 'the higher of the two',
  'max-sandbox': 'the stricter of the two',
  'direct-only': '`direct-only` if either has it, else its own value or its parent’s',
  'mcp-servers': 'the servers of both by name; its own if both define one',
  'runtime-requirements': 'member by member its own, else its parent’s',
};

export function frontmatterPage(): string {
  return page('Frontmatter', 'packages/core/src/artifact/frontmatter-keys.ts', [
    'A manifest starts with a line `---`, YAML, and a line `---`. Other keys are kept and ' +
      'delivered unchanged.',
    '## Artifacts',
    table(
      ['Key', 'Meaning', 'Value', 'File', 'Types', 'With `extends`'],
      FRONTMATTER_KEYS.map((row) => [
        code(row.name),
        row.summary,
        row.shape,
        FILES[row.file],
        row.types?.join(', ') ?? 'all',
        row.merge,
      ]),
    ),
    '### With `extends`',
    table(
      ['Rule', 'Value in the child'],
      Object.entries(MERGES).map(([rule, meaning]) => [rule, meaning]),
    ),
    '## Domains',
    '`DOMAIN.md` in a folder describes the domain.',
    table(
      ['Key', 'Value'],
      [...DOMAIN_KEYS.values()].map((row) => [code(row.name), row.shape]),
    ),
  ]);
}
