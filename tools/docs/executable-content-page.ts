import { CAPABILITY_KINDS } from '@catalog/core/capabilities/capability';
import {
  CONFIGURATION_DIRECTORIES,
  CONFIGURATION_NAMES,
} from '@catalog/core/capabilities/configuration-files';
import { EXECUTABLE_FILE_GROUPS } from '@catalog/core/capabilities/executable-file-types';
import { MAX_CAPABILITIES } from '@catalog/core/capabilities/executable-capabilities';
import {
  EXECUTABLE_KEYS,
  INERT_KEYS,
  NARROW_VALUES,
  OPAQUE_KEYS,
  type KeyReader,
} from '@catalog/core/capabilities/executable-keys';
import { PROMPT_DIRECTORIES } from '@catalog/core/capabilities/read-bundled-file';
import { code, page, table } from './markdown.ts';

const DECLARES: Readonly<Record<KeyReader, string>> = {
  hooks: 'hooks, in any nesting that a harness uses',
  servers: 'MCP servers: a map, a list, or the names of configured servers',
  commands: 'commands, also those of language servers, formatters and monitors',
  tools: 'tools: a string, a list, or a map of switches',
  permissions: 'tools and permissions, by `allow`, `additionalDirectories` and similar members',
  permission: 'a permission, unless the value grants nothing',
  variables: 'environment variables',
  plugins: 'plugins, packages and marketplaces',
  external_files: 'files by URL; those that are scripts count',
};

/** Forms of shell commands in Markdown, and the harnesses that run them. */
const INLINE_FORMS: readonly (readonly string[])[] = [
  ['`` !`command` ``', 'Claude Code, OpenCode, Kilo, Hermes'],
  ['a fenced block that opens with ` ```! `', 'Claude Code'],
  ['`!{command}`', 'Gemini CLI, Qwen Code'],
  ['a body that starts with `#!`', 'Droid'],
];

export function executableContentPage(): string {
  return page('Executable content', 'packages/core/src/capabilities', [
    'catalog lists what a harness would run from an artifact, and what the artifact would allow the harness to do. ' +
      'It reads this list from the content of the artifact: the type does not matter, and neither does the harness. ' +
      'It reads declarations only. It does not analyze what a script does or which files it reads.',
    '## Kinds',
    table(
      ['Kind', 'Meaning'],
      Object.entries(CAPABILITY_KINDS).map(([kind, meaning]) => [code(kind), meaning]),
    ),
    'An update needs a new [approval](../guide/trust-and-approvals.md) only if it adds or changes one of these. Commands, URLs, values of headers and ' +
      'environment variables, and scripts count by hash, so any change to them is a new capability. Descriptions, ' +
      'status messages and timeouts do not count.',
    `An artifact lists up to ${MAX_CAPABILITIES.toLocaleString('en-US')} capabilities. Past that, any change to the artifact is a new capability.`,
    '## Frontmatter and settings',
    'catalog reads these keys at the top level of `ARTIFACT.md`, `SKILL.md`, bundled Markdown files with ' +
      'frontmatter, and configuration files. Case, hyphens and underscores do not matter. `hook_event` and ' +
      '`hook_action` declare a hook; `command`, `args`, `env`, `url`, `headers` and `server_identifier` of an ' +
      '`mcp-server` declare a server.',
    table(
      ['Keys', 'Declare'],
      Object.entries(DECLARES).map(([reader, declares]) => [
        list(Object.entries(EXECUTABLE_KEYS).find(([name]) => name === reader)?.[1] ?? []),
        declares,
      ]),
    ),
    `These values of a permission grant nothing: ${list(NARROW_VALUES)}.`,
    'Any other key counts as an `unknown_executable_key` if its name or its value looks like something that runs: ' +
      'a name with a word such as `command`, `hook`, `server` or `allow`, a value that starts like a command line, ' +
      'or shell syntax. `metadata` is checked member by member. So does a string inside `hooks`, a server or a command ' +
      'that some harness might run, if no other capability shows it: for example, the second of two keys `command` and ' +
      '`Command`.',
    `These keys never count, unless a map inside them looks like something that runs: ${list(INERT_KEYS)}. ` +
      'Some of them restrict an artifact. Removing a restriction is not a new capability, because the artifact then ' +
      'has what any artifact has without the key.',
    `These keys are not read: ${list(OPAQUE_KEYS)}.`,
    '## Inline commands',
    'These forms count in the prose and in the frontmatter of both manifests, because some harnesses end frontmatter ' +
      'earlier than others. They count inside code blocks, and wherever the exclamation mark is: OpenCode also runs ' +
      'what follows a code span that ends in an exclamation mark.',
    table(['Form', 'Harnesses that run it'], INLINE_FORMS),
    'A placeholder inside a form counts as nothing: harnesses replace missing arguments before they look for ' +
      'commands, so that `` !$9`command` `` runs. catalog reads a prompt as it is written, as OpenCode and Claude Code ' +
      'read it without arguments, without the placeholders of any harness, and with the placeholders that adapters ' +
      'write. A placeholder is `$1`, `$ARGUMENTS`, `$ARGUMENTS[0]`, `$name`, `${name}`, `{{name}}`, `{env:name}`, or a ' +
      'name that `arguments` in the frontmatter lists. In bundled TOML files, escape sequences are read as well.',
    'File includes such as `@path` do not run anything and do not count. In bundled files the forms count as follows:',
    table(
      ['Bundled file', 'Forms'],
      [
        [
          `Markdown or TOML in ${list(PROMPT_DIRECTORIES)} or a hidden directory, \`SKILL.md\`, Markdown with frontmatter`,
          'all',
        ],
        ['any text file, if a manifest includes files with `@{path}`', 'all'],
        ['other Markdown', 'those of Claude Code, with whitespace before the exclamation mark'],
      ],
    ),
    '## Scripts',
    'A bundled file is a script if any of these is true:',
    [
      '- Its executable bit is set.',
      '- It starts with `#!`, or like a compiled program.',
      '- Its name, its extension or one of its directories is in this table. Case does not matter.',
      '- Its name occurs in a command, a server or another key of the artifact that counts.',
    ].join('\n'),
    table(
      ['Files', 'Names', 'Extensions', 'Directories'],
      EXECUTABLE_FILE_GROUPS.map(({ title, reason, ...group }) => [
        `**${title}.** ${reason}`,
        list(group.names ?? []),
        list(group.extensions ?? []),
        list([
          ...(group.directories ?? []),
          ...(group.bundles ?? []).map((extension) => `*.${extension}`),
        ]),
      ]),
    ),
    'In a name, `*` matches any characters. Markdown files match no name with `*`. HTML, SQL and LaTeX ' +
      'files do not count by their names.',
    '## Configuration files',
    'A bundled configuration file counts as a whole, by its hash. If it is JSON or YAML, ' +
      'its declarations are listed too. A file is a configuration file if any of these is true:',
    [
      `- It has one of these names: ${list(CONFIGURATION_NAMES)}, or the extension \`hook\`.`,
      `- It is JSON, YAML or TOML in a hidden directory or in one of these: ${list(CONFIGURATION_DIRECTORIES)}.`,
      '- It is JSON, YAML or TOML, and its name occurs in a configuration file or in a key that counts.',
    ].join('\n'),
  ]);
}

function list(names: readonly string[]): string {
  return names.map(code).join(', ');
}
