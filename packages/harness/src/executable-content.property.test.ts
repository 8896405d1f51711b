import { readArtifact } from '@catalog/core/artifact/read-artifact';
import { HOOK_EVENTS, type Artifact } from '@catalog/core/artifact/types';
import type { CapabilityKind } from '@catalog/core/capabilities/capability';
import { addedCapabilities } from '@catalog/core/capabilities/capability-key';
import { executableCapabilities } from '@catalog/core/capabilities/executable-capabilities';
import { authoredPackage } from '@catalog/testkit/authored-package';
import * as fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { parse as parseYaml, stringify } from 'yaml';
import { findFormats } from './marketplace/find-format.ts';
import { renderMarketplace } from './marketplace/render-marketplace.ts';
import { planArtifacts } from './plan.ts';
import type { Plan } from './planned.ts';
import { adapters } from './registry.ts';

/**
 * Checks that everything a harness would run is among the capabilities of an artifact. The test shares no code with the
 * function. Every value that runs has a unique mark, `zq1`, `zq2` and so on; values that are never shown have `vq1`
 * instead.
 */

/** Places in a plan that harnesses run, or use to grant permissions. */
const FORMS = ['hook', 'server', 'tool', 'permission', 'inline', 'script'] as const;
type Form = (typeof FORMS)[number];

interface Delivered {
  form: Form;
  text: string;
}

const KINDS: Readonly<Record<Form, readonly CapabilityKind[]>> = {
  hook: ['hook', 'configuration_file'],
  server: ['mcp_server', 'configuration_file'],
  tool: ['allowed_tool', 'configuration_file'],
  permission: ['permission', 'configuration_file'],
  inline: ['inline_command'],
  script: ['script'],
};

const MARK = /zq\d+/g;

function deliveredBy({ files, entries }: Plan): Delivered[] {
  return [
    ...entries.flatMap(({ entry: { shape, container, key, value } }) =>
      shape === 'block'
        ? stringsIn(value).flatMap(inlineIn)
        : inSettings(nested([...container, key], value)),
    ),
    ...files
      .filter(({ shared }) => shared !== true)
      .flatMap(({ path, bytes, executable }) => {
        const text = new TextDecoder().decode(bytes);
        return [...asScript(path, text, executable), ...asDocument(path, text)];
      }),
  ];
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.toReversed().reduce((inner, key) => ({ [key]: inner }), value);
}

/** GitHub Copilot reads hooks from JSON files in a folder `hooks`. */
const HOOK_SETTINGS = /(?:^|\/)hooks\/.*\.json$/;

function asScript(path: string, text: string, executable: boolean): Delivered[] {
  if (HOOK_SETTINGS.test(path)) return [];
  const isScript =
    executable ||
    text.startsWith('#!') ||
    /(?:^|\/)(?:scripts|bin|hooks)\//.test(path) ||
    /\.(?:sh|py|rb|ps1|[cm]?[jt]s)$/.test(path);
  // Modules of catalog contain the command of their hook.
  if (isScript && text.startsWith('// Written by catalog')) return [{ form: 'hook', text }];
  return isScript ? [{ form: 'script', text }] : [];
}

function asDocument(path: string, text: string): Delivered[] {
  if (path.endsWith('.toml')) return inSettings(parseToml(text));
  if (/\.mdc?$/.test(path)) return inMarkdown(path, text);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isSettings = ['.mcp.json', 'mcp.json', 'settings.json', 'hooks.json'].includes(name);
  if (isSettings || name.endsWith('extension.json') || HOOK_SETTINGS.test(path))
    return inSettings(JSON.parse(text));
  return [];
}

function inMarkdown(path: string, text: string): Delivered[] {
  const [whole = '', head = ''] = /^---\r?\n([^]*?\n)---\r?\n/.exec(text) ?? [];
  // Cursor writes patterns without quotes, which is not YAML.
  const isCursor = /^globs:[^"']*$/m.test(head) && head.includes('alwaysApply:');
  const body = text.slice(whole.length);
  // No product expands a bundled document, except Claude Code if it is a command.
  const isBundled = path.endsWith('/notes.md');
  return [
    ...(isCursor ? [] : inSettings(parseYaml(head))),
    ...(isBundled ? claudeCommands(body).map(asInline) : inlineIn(body)),
  ];
}

/** Lists inline commands with the patterns of Claude Code and OpenCode and the scanner of Gemini CLI. */
function inlineIn(text: string): Delivered[] {
  const claude = text.replaceAll('$ARGUMENTS', '');
  const openCode = text.replaceAll(/\$\d+/g, '').replaceAll('$ARGUMENTS', '');
  return [
    ...claudeCommands(text),
    ...claudeCommands(claude),
    ...claudeCommands(claude.replaceAll(/(?<!\\)\$\d+(?!\w)/g, '')),
    ...Array.from(openCode.matchAll(/!`([^`]+)`/g), ([, command = '']) => command),
    ...geminiCommands(text),
  ]
    .filter((command) => command.trim() !== '')
    .map(asInline);
}

function asInline(text: string): Delivered {
  return { form: 'inline', text };
}

function claudeCommands(text: string): string[] {
  const found = [
    ...text.matchAll(/```!\s*\n?([^]*?)\n?```/g),
    ...text.matchAll(/(?<=^|\s)!`([^`]+)`/gm),
  ];
  return found.map(([, command = '']) => command).filter((command) => command.trim() !== '');
}

function geminiCommands(text: string): string[] {
  const found: string[] = [];
  for (let start = text.indexOf('!{'); start !== -1; start = text.indexOf('!{', start)) {
    let depth = 1;
    let end = start + 2;
    for (; end < text.length && depth > 0; end += 1) {
      if (text[end] === '{') depth += 1;
      if (text[end] === '}') depth -= 1;
    }
    if (depth > 0) break;
    found.push(text.slice(start + 2, end - 1));
    start = end;
  }
  return found;
}

const KEYS: readonly (readonly [RegExp, Form])[] = [
  [/^hooks?$|^hook_action$/i, 'hook'],
  [/^(?:amp\.)?mcp[-_]?servers?$|^mcp$|^context_servers$|^servers$/i, 'server'],
  [/^allowed[-_]?tools$|^tools$|^autoApprove$/i, 'tool'],
  [/^permission[-_]?mode$|^approval/i, 'permission'],
];

function inSettings(value: unknown): Delivered[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]): Delivered[] => {
    const [, form] = KEYS.find(([name]) => name.test(key)) ?? [];
    if (form !== undefined) return stringsIn(member).map((text) => ({ form, text }));
    if (key === 'prompt' || key === 'developer_instructions') return inlineIn(String(member));
    return inSettings(member);
  });
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => !key.startsWith('x-catalog') && key !== 'description')
    .flatMap(([key, member]) => [key, ...stringsIn(member)]);
}

// Artifacts whose values get unique marks.

const command = fc.constantFrom(
  'run zq',
  './scripts/tool.sh zq',
  "node -e 'zq' && echo $HOME",
  'sh lib/data.bin zq',
);
const handler = fc.oneof(
  command.map((text) => ({ type: 'command', command: text, timeout: 5 })),
  command.map((text) => ({ command: text, env: { A: 'vq' } })),
  command.map((text) => ({ type: 'command', command: text, args: ['zq'] })),
  fc.constant({ type: 'http', url: 'https://zq.example.com', headers: { H: 'vq' } }),
  command.map((text) => ({ bash: text, powershell: 'zq' })),
);
const hooks = fc.oneof(
  handler.map((one) => ({ PreToolUse: [{ matcher: 'zq', hooks: [one] }] })),
  handler.map((one) => ({ stop: [one] })),
  handler.map((one) => [{ trigger: 'Stop', action: one }]),
  command.map((text) => ({ SessionStart: text })),
);
const local = command.map((text) => ({ command: text, args: ['zq'], env: { KEY: 'vq' } }));
const remote = fc.constant({ url: 'https://zq.example.com', headers: { Authorization: 'vq' } });
const definition = fc.oneof(local, remote);
const servers = fc.oneof(
  definition.map((one) => [{ name: 'one', ...one }]),
  definition.map((one) => ({ one })),
  definition.map((one) => [{ one }]),
  fc.constant(['zq']),
);
const tools = fc.constantFrom(
  'Read, Bash(zq:*)',
  ['Read', 'Bash(zq:*)', 'zq'],
  { bash: true, zq: true, edit: false },
  'zq',
);
/** Servers of agents need catalog's own form; otherwise the artifact is rejected. */
const agentServers = definition.map((one) => [{ name: 'one', ...one }]);

function keysWith(mcp: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc.record(
    {
      hooks,
      mcpServers: mcp,
      'mcp-servers': servers,
      mcp_servers: servers,
      tools,
      allowedTools: tools,
      permissionMode: fc.constantFrom('acceptEdits', 'plan', 'zq'),
      approvalMode: fc.constant('zq'),
      statusLine: fc.constant({ type: 'command', command: 'zq' }),
      env: fc.constant({ A: 'vq' }),
      onStart: fc.constant({ command: 'vq' }),
      model: fc.constantFrom('sonnet', 'gpt-5', 'a/b'),
      color: fc.constant('red'),
    },
    { requiredKeys: [] },
  );
}

const body = fc
  .array(
    fc.constantFrom(
      'Prose. ',
      '\n',
      '!`zq`',
      ' !`zq`',
      '!{zq}',
      '!{a {zq} b}',
      '```!\nzq\n```\n',
      '!$ARGUMENTS ',
      '$1 ',
      '!$9`zq`',
      ' !$ARGUMENTS`zq`',
      '!$1$2`zq`',
      '$12',
      '$ARG',
      'UMENTS',
      '\\',
      '`',
      '!',
      '{',
      '}',
      '!`a\nzq`',
      '<!-- begin imported -->',
      '<!-- end imported -->',
      '#!/bin/sh zq\n',
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));

const hooksFile = hooks.map((value) => JSON.stringify({ hooks: value }));
const serversFile = servers.map((value) => JSON.stringify({ mcpServers: value }));
const files = fc.record(
  {
    'scripts/tool.sh': fc.constant('#!/bin/sh\necho zq\n'),
    'lib/data.bin': fc.constant('zq'),
    'lib/tool.py': fc.constant('print("zq")'),
    run: fc.constant('#!/bin/sh zq'),
    'hooks/hooks.json': hooksFile,
    '.mcp.json': serversFile,
    'settings.json': fc.oneof(hooksFile, serversFile),
    'notes.md': body,
    'skills/inner/SKILL.md': keysWith(servers).map((keys) => `---\n${stringify(keys)}---\n!\`zq\``),
    'data.json': hooksFile,
  },
  { requiredKeys: [] },
);

interface Draft {
  [path: string]: string;
}

function manifest(keys: object, text: string): string {
  return `---\n${stringify({ version: '1.0.0', description: 'About zq.', ...keys })}---\n${text}`;
}

const drafts: fc.Arbitrary<Draft> = fc.oneof(
  fc.tuple(keysWith(servers), tools, body, files).map(([keys, allowed, text, bundled]) => ({
    ...bundled,
    'ARTIFACT.md': manifest({ type: 'skill' }, ''),
    'SKILL.md': `---\n${stringify({ name: 'one', description: 'About zq.', 'allowed-tools': allowed, ...keys })}---\n${text}`,
  })),
  fc
    .tuple(
      fc.constantFrom('agent', 'command', 'rule', 'context', 'dataset'),
      keysWith(agentServers),
      body,
      files,
    )
    .map(([type, keys, text, bundled]) => ({
      ...bundled,
      'ARTIFACT.md': manifest({ type, 'allowed-tools': 'Bash(zq:*)', ...keys }, text),
    })),
  fc
    .tuple(fc.constantFrom(...HOOK_EVENTS), command, files)
    .map(([hook_event, hook_action, bundled]) => ({
      ...bundled,
      'ARTIFACT.md': manifest({ type: 'hook', hook_event, hook_action }, ''),
    })),
  fc.tuple(definition, files).map(([server, bundled]) => ({
    ...bundled,
    'ARTIFACT.md': manifest({ type: 'mcp-server', name: 'one', ...server }, ''),
  })),
  fc.constantFrom('npx:zq', 'https://zq.example.com', 'zq').map((server_identifier) => ({
    'ARTIFACT.md': manifest({ type: 'mcp-server', name: 'one', server_identifier }, ''),
  })),
);

/** Reads the artifact of a draft. `changed` is the number of a mark to replace by another one. */
function readDraft(draft: Draft, changed?: number): Artifact | undefined {
  let count = 0;
  const marked = Object.entries(draft).map(([path, text]): [string, string] => [
    path,
    text.replaceAll(/[vz]q/g, (mark) => {
      count += 1;
      return count === changed ? `${mark}0` : `${mark}${count}`;
    }),
  ]);
  const reading = readArtifact(authoredPackage('ops/one', Object.fromEntries(marked)));
  return reading.kind === 'ok' ? reading.artifact : undefined;
}

const everyAdapter = [...adapters.values()].flatMap((adapter) => [
  adapter,
  ...(adapter.user === undefined ? [] : [adapter.user]),
  ...Object.values(adapter.user_on ?? {}),
]);
const { formats } = findFormats([...adapters.keys(), 'agent-plugins']);

function plansOf(artifact: Artifact): Plan[] {
  const plugin = { name: 'plugin', description: 'About.', artifacts: [artifact] };
  const market = { name: 'market', description: 'About.', plugins: [plugin] };
  return [
    ...everyAdapter.map((adapter) => planArtifacts([artifact], adapter, { on_clash: 'fail' })),
    ...formats.map(
      (format) => renderMarketplace({ ...market, formats: [format] }, { on_clash: 'fail' }).plan,
    ),
  ];
}

function everythingDelivered(artifact: Artifact): Delivered[] {
  const all = plansOf(artifact).flatMap(deliveredBy);
  return [...new Map(all.map((one) => [`${one.form} ${one.text}`, one])).values()];
}

test('lists every planned executable form in the capabilities of its artifact', () => {
  const seen = new Set<Form>();
  fc.assert(
    fc.property(drafts, (draft) => {
      const artifact = readDraft(draft);
      fc.pre(artifact !== undefined);
      const capabilities = executableCapabilities(artifact);
      const kinds = capabilities.map(({ kind }) => kind);
      const facts = JSON.stringify(capabilities);
      for (const { form, text } of everythingDelivered(artifact)) {
        seen.add(form);
        const isCovered = KINDS[form].some((kind) => kinds.includes(kind));
        expect(isCovered, `${form}: ${text}`).toBe(true);
        // A script is identified by path and hash, other forms by their value.
        if (form === 'script') continue;
        for (const [mark] of text.matchAll(MARK)) expect(facts, `${form}: ${text}`).toContain(mark);
      }
    }),
    { numRuns: 100 },
  );
  expect([...seen].toSorted()).toEqual(FORMS.toSorted());
});

test('changes the capabilities if a planned executable form changes', () => {
  let changes = 0;
  fc.assert(
    fc.property(drafts, fc.nat(), (draft, choice) => {
      const before = readDraft(draft);
      const marks = Object.values(draft).join('').split(/[vz]q/).length - 1;
      fc.pre(before !== undefined && marks > 0);
      const after = readDraft(draft, (choice % marks) + 1);
      fc.pre(after !== undefined);
      const [old, current] = [everythingDelivered(before), everythingDelivered(after)];
      if (JSON.stringify(old) === JSON.stringify(current)) return;
      changes += 1;
      const known = executableCapabilities(before);
      expect(addedCapabilities(known, executableCapabilities(after))).not.toEqual([]);
    }),
    { numRuns: 100 },
  );
  expect(changes).toBeGreaterThan(25);
});
