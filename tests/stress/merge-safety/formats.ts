import type { ManagedEntry } from '@catalog/harness/adapter';
import { arbitraryJsonc } from '@catalog/testkit/arbitrary-jsonc';
import { arbitraryMarkdown } from '@catalog/testkit/arbitrary-markdown';
import { arbitraryToml } from '@catalog/testkit/arbitrary-toml';
import { arbitraryYaml } from '@catalog/testkit/arbitrary-yaml';
import type { Arbitrary } from 'fast-check';
import type { ParserInput } from '../../../tools/services/config-parsers.ts';

export interface Format {
  name: string;
  parser: ParserInput['format'];
  file: string;
  files: Arbitrary<string>;
  note: NewLine;
  member?: NewLine;
  /** Lines with exactly one complete member, which can be deleted. */
  whole?: RegExp;
  entries: (id: string, version: number) => ManagedEntry[];
}

export interface NewLine {
  before: RegExp;
  line: (number: number) => string;
}

/** Artifacts of two catalogs; shared artifacts are identical. */
export const CATALOGS: Readonly<Record<'one' | 'two', readonly string[]>> = {
  one: ['one/server', 'one/hook', 'one/early', 'both/server', 'both/hook'],
  two: ['two/server', 'two/hook', 'two/early', 'both/server', 'both/hook'],
};

/** Strings with a different meaning if they are not quoted. */
const ARGUMENTS = ['-y', 'yes', '1.10', '2020-01-01', 'a: b # c', 'two\nlines', '"]\\', 'é ${X}'];

function server(container: string[], recorded: 'file' | 'lock', id: string, version: number) {
  const last = ARGUMENTS[(version * 3 + id.length) % ARGUMENTS.length] ?? '';
  const value = { command: `serve-ours ${version}`, args: ['x', last], env: { A: last } };
  const entry = { shape: 'map', recorded, container, artifact_id: id } as const;
  return { ...entry, key: `ours-${id.slice(0, id.indexOf('/'))}`, value };
}

/** Returns a hook. The hooks of both catalogs are equal, so that one list has two equal elements. */
function hook(event: string, recorded: 'file' | 'lock', id: string, version: number) {
  const mark = recorded === 'file' ? { 'x-catalog-id': id } : {};
  const value = { matcher: '*', hooks: [{ command: `run-ours ${version}`, timeout: 5 }], ...mark };
  const entry = { shape: 'array', recorded, container: ['hooks', event], artifact_id: id } as const;
  return { ...entry, key: id, value };
}

/** Returns a member that the product needs once for all hooks. */
function need(container: string[], key: string, artifact_id: string): ManagedEntry {
  const entry = { shape: 'map', recorded: 'lock', container, key, artifact_id } as const;
  return { ...entry, value: true, if_absent: true };
}

function entriesOf(
  servers: string[],
  events: readonly [late: string, early: string],
  recorded: 'file' | 'lock',
  once?: readonly [container: string[], key: string],
): Format['entries'] {
  return (id, version) => {
    if (id.endsWith('server')) return [server(servers, recorded, id, version)];
    const entry = hook(events[id.endsWith('early') ? 1 : 0], recorded, id, version);
    return once === undefined ? [entry] : [entry, need(...once, id)];
  };
}

const ANY = /\S/;
const JSON_LINES = {
  note: { before: ANY, line: (number: number) => `// note ${number}` },
  member: {
    before: /^\s*"[^"\\]*"\s*:/,
    line: (number: number) => `"new ${number}": ${number},`,
  },
  whole: /^\s*"[^"\\]*": (?:-?\d[\d.]*|"[^"\\]*"|true|null),$/,
};
const YAML_KEY = /^ *["']?k[ /]?\d+["']?:/;

export const FORMATS: readonly Format[] = [
  {
    name: 'JSON with marks',
    parser: 'json',
    file: 'settings.json',
    files: arbitraryJsonc,
    ...JSON_LINES,
    entries: entriesOf(['mcpServers'], ['Stop', 'SessionStart'], 'file'),
  },
  {
    name: 'JSON without marks',
    parser: 'json',
    file: 'hooks.jsonc',
    files: arbitraryJsonc,
    ...JSON_LINES,
    entries: entriesOf(['mcpServers'], ['Stop', 'SessionStart'], 'lock', [[], 'version']),
  },
  {
    name: 'TOML',
    parser: 'toml',
    file: 'config.toml',
    files: arbitraryToml,
    note: { before: ANY, line: (number) => `# note ${number}` },
    member: { before: /^\s*(?:model|k|command) ?= /, line: (number) => `new${number} = ${number}` },
    whole: /^\s*(?:model|k) = (?:\d+|true|"text")$/,
    entries: entriesOf(['mcp_servers'], ['Stop', 'PreToolUse'], 'lock', [['features'], 'hooks']),
  },
  {
    name: 'YAML',
    parser: 'yaml',
    file: 'config.yaml',
    files: arbitraryYaml,
    note: { before: YAML_KEY, line: (number) => `# note ${number}` },
    member: { before: YAML_KEY, line: (number) => `new${number}: ${number}` },
    whole: /^ *["']?k[ /]?\d+["']?: u\d+$/,
    entries: entriesOf(['mcp_servers'], ['pre_tool_call', 'on_session_end'], 'lock', [
      ['hooks'],
      'auto_accept',
    ]),
  },
  {
    name: 'Markdown',
    parser: 'markdown',
    file: 'AGENTS.md',
    files: arbitraryMarkdown,
    note: { before: ANY, line: (number) => `note ${number}` },
    entries: (id, version) => [
      {
        shape: 'block',
        recorded: 'file',
        container: [],
        key: id,
        artifact_id: id,
        value: `## serve-ours ${version}\n\n- of ${id}\n`,
      },
    ],
  },
];
