import { SYNC_FILE_KEYS, type Member, type Shape } from '@catalog/consumer/config/sync-file-keys';
import type { FlagDefinition } from '../../packages/cli/src/command/definition.ts';
import { definitions } from '../../packages/cli/src/command/table.ts';
import { VARIABLES as mcpVariables } from '../../packages/mcp/src/variables.ts';
import { code, page, table } from './markdown.ts';

const VALUES: Readonly<Record<Exclude<Shape['kind'], 'enum'>, string>> = {
  string: 'string',
  boolean: '`true` or `false`',
  list: 'list',
  texts: 'string, or list of strings',
  map: 'map by name',
  object: 'map',
};

export function configPage(): string {
  return page('Configuration', 'packages/consumer/src/config/sync-file-keys.ts', [
    'catalog reads three files; each overrides the one before: `~/.catalog/sync.yaml` (yours), `<workspace>/.catalog/sync.yaml` ' +
      '(committed), `<workspace>/.catalog/sync.local.yaml` (yours, in this workspace). An environment ' +
      'variable overrides all files, and a flag overrides the environment variable. `catalog config show` prints ' +
      'every value and its source. An unknown key or an invalid value is an error.',
    '## Keys of `sync.yaml`',
    table(['Key', 'Value', 'Meaning'], memberRows('', SYNC_FILE_KEYS)),
    '## Environment variables',
    table(['Variable', 'Default for', 'Meaning'], variableRows()),
    '## Environment variables of `catalog-mcp`',
    'A harness sets these for the MCP server, which reads no flags. The environment variables for identity, proxies ' +
      'and caches also apply.',
    table(
      ['Variable', 'Meaning'],
      mcpVariables.map(([name, summary]) => [code(name), summary]),
    ),
  ]);
}

function memberRows(prefix: string, members: Readonly<Record<string, Member>>): string[][] {
  return Object.entries(members).flatMap(([name, member]) => [
    [
      code(prefix + name),
      describe(member.shape) + (member.required ? ', required' : ''),
      member.summary,
    ],
    ...nestedRows(prefix + name, member.shape),
  ]);
}

function nestedRows(path: string, shape: Shape): string[][] {
  if (shape.kind === 'object') return memberRows(`${path}.`, shape.members);
  if (shape.kind === 'list') return nestedRows(`${path}[]`, shape.of);
  return shape.kind === 'map' ? nestedRows(`${path}.<name>`, shape.of) : [];
}

function describe(shape: Shape): string {
  if (shape.kind === 'enum') return shape.values.map(code).join(', ');
  if (shape.kind === 'list' && shape.of.kind === 'string') return 'list of strings';
  return VALUES[shape.kind];
}

function variableRows(): string[][] {
  const rows = new Map<string, string[]>();
  for (const definition of definitions) {
    for (const [name, flag] of Object.entries<FlagDefinition>(definition.flags)) {
      if (flag.env !== undefined)
        rows.set(flag.env, [code(flag.env), code(`--${name}`), flag.summary]);
    }
  }
  return [...rows.values()];
}
