import { CATALOG_ONLY_KEYS, FRONTMATTER_KEYS } from '@catalog/core/artifact/frontmatter-keys';
import type { FirstClassType } from '@catalog/core/artifact/types';
import { canonicalJson } from '@catalog/core/canonical-json';
import type { Json } from '@catalog/core/json';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { NATIVE_KEYS } from '@catalog/harness/place/native-keys';
import { planArtifacts } from '@catalog/harness/plan';
import type { Plan } from '@catalog/harness/planned';
import { artifactOf, type PackageTexts } from '@catalog/testkit/authored-package';

/** Treatment of a key by a harness. `silent` is an error: the key is lost without a report. */
export type KeyTreatment =
  | 'written'
  | 'converted'
  | 'reported'
  | 'refused'
  | 'irrelevant'
  | 'silent';

export const CATALOG_KEYS: ReadonlySet<string> = new Set([
  'type',
  'version',
  'tags',
  'sensitivity',
  'search_visibility',
  'deprecated',
  'replaced_by',
  'release_notes',
  'audit_redact',
  'lint_suppress',
  'imported_from',
  'extends',
  'target_harnesses',
  'rule_fallback',
  'external_resources',
  'signature',
  'runtime_requirements',
  'sbom',
  'when_to_use',
  'license',
]);

/** Keys that may be lost, because some harnesses show no names or descriptions, or detect the transport. */
const OPTIONAL_KEYS: ReadonlySet<string> = new Set(['name', 'description', 'source', 'transport']);

/** If the harness does not support the rule mode or hook event, that is reported. */
const DEPENDENT_KEYS: ReadonlySet<string> = new Set([
  'rule_globs',
  'rule_description',
  'hook_event',
  'hook_action',
  'hook_matcher',
  'hook_timeout',
]);

const BASE: Readonly<Record<FirstClassType, Readonly<Record<string, Json>>>> = {
  skill: {},
  agent: {},
  command: {},
  rule: {},
  hook: { hook_event: 'pre_tool_use', hook_action: 'true' },
  context: {},
  'mcp-server': { command: 'start' },
};

const TOGETHER: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  rule_globs: { rule_mode: 'glob' },
  rule_description: { rule_mode: 'auto' },
  headers: { url: 'https://mcp.example.com/', command: null },
  transport: { url: 'https://mcp.example.com/', command: null },
  url: { command: null },
  server_identifier: { command: null },
};

const SAMPLES: Readonly<Record<string, Json>> = {
  name: 'another',
  source: 'https://example.com/',
  sandbox_profile: 'read-only-fs',
  mcpServers: [{ name: 'wh', command: 'wh' }],
  requiresApproval: [{ tool: 'Bash' }],
  delegates_to: ['ops/other'],
  runtime_requirements: { python: '3.12' },
  effort_hint: 'low',
  effort: 'low',
  model_class_hint: 'small',
  input: { $ref: './schema.json' },
  output: { $ref: './schema.json' },
  rule_mode: 'explicit',
  rule_globs: 'src/*.sample',
  hook_event: 'session_start',
  hook_timeout: 7,
  hook_matcher: 'Bash',
  args: ['sample'],
  env: { SAMPLE: 'sample' },
  url: 'https://sample.example.com/',
  headers: { 'X-Sample': 'sample' },
  transport: 'sse',
  metadata: { sample: 'sample' },
  'allowed-tools': 'Read',
  tools: ['Read'],
  disallowedTools: ['Bash'],
  permission: { bash: 'deny' },
  permissionMode: 'plan',
  approvalMode: 'plan',
  readonly: true,
  isolation: 'worktree',
  maxTurns: 7,
  max_turns: 7,
  steps: 7,
  timeout_mins: 7,
  hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] },
  mcp_servers: { wh: { command: 'wh' } },
  'mcp-servers': { wh: { command: 'wh' } },
  disable: true,
  'disable-model-invocation': true,
  agents: ['other'],
  allowedTools: ['Read'],
  'disallowed-tools': 'Bash',
  model: 'a-model-of-nobody',
  background: true,
  is_background: true,
  hidden: true,
  temperature: 0.5,
  top_p: 0.5,
  mode: 'primary',
  subtask: true,
  invokable: true,
  'user-invocable': false,
  alwaysApply: false,
  globs: '*.sample',
  async: true,
  once: true,
  failClosed: true,
  loop_limit: 3,
  timeout: 7,
  disabled: true,
  enabled: false,
  trust: true,
  oauth: { clientId: 'sample' },
  startup_timeout_sec: 7,
  tool_timeout_sec: 7,
  allowed_tools: ['read'],
  denied_tools: ['drop'],
  tool_timeout: 7,
};

export function keysOf(type: FirstClassType): string[] {
  const canonical = FRONTMATTER_KEYS.filter(
    ({ name, types, file }) =>
      (types?.includes(type) ?? true) &&
      (file !== 'skill' || type === 'skill') &&
      !CATALOG_KEYS.has(name),
  ).map(({ name }) => name);
  const native = type === 'context' ? [] : Object.keys(NATIVE_KEYS[type]);
  return [...new Set([...canonical, ...native])];
}

export function observeKey(
  adapter: HarnessAdapter,
  type: FirstClassType,
  key: string,
): KeyTreatment {
  const together = TOGETHER[key] ?? {};
  const without = planSample(adapter, type, together);
  const value = SAMPLES[key] ?? 'sample';
  const withKey = planSample(adapter, type, { ...together, [key]: value });
  if (withKey.unsupported.length > 0) return 'refused';
  if (withKey.fallbacks.length > without.fallbacks.length) return 'reported';
  const [before, after] = [contentOf(without), contentOf(withKey)];
  if (before === after) {
    if (DEPENDENT_KEYS.has(key) && without.fallbacks.length > 0) return 'reported';
    return OPTIONAL_KEYS.has(key) ? 'irrelevant' : 'silent';
  }
  return after.includes(`${key}:`) || after.includes(`"${key}"`) || after.includes(`${key} =`)
    ? 'written'
    : 'converted';
}

function planSample(
  adapter: HarnessAdapter,
  type: FirstClassType,
  keys: Readonly<Record<string, Json>>,
): Plan {
  const described = { description: 'Describes it.' };
  const values = { ...BASE[type], ...keys };
  const files: PackageTexts =
    type === 'skill'
      ? {
          'ARTIFACT.md': manifest({ type, version: '1.0.0', ...pick(values, isCatalogKey) }),
          'SKILL.md': manifest({
            name: 'sample',
            ...described,
            ...pick(values, (key) => !isCatalogKey(key)),
          }),
        }
      : { 'ARTIFACT.md': manifest({ type, version: '1.0.0', ...described, ...values }) };
  return planArtifacts([artifactOf('ops/sample', files)], adapter, { on_clash: 'fail' });
}

function manifest(values: Readonly<Record<string, Json>>): string {
  const lines = Object.entries(values).flatMap(([key, value]) =>
    value === null ? [] : [`${key}: ${JSON.stringify(value)}\n`],
  );
  return `---\n${lines.join('')}---\nProse.\n`;
}

function isCatalogKey(key: string): boolean {
  return CATALOG_ONLY_KEYS.has(key);
}

function pick(
  values: Readonly<Record<string, Json>>,
  wanted: (key: string) => boolean,
): Record<string, Json> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => wanted(key)));
}

function contentOf({ files, entries }: Plan): string {
  return [
    ...files.map(({ path, bytes }) => `${path}\n${new TextDecoder().decode(bytes)}`),
    ...entries.map(({ path, entry: { container, key, value } }) =>
      [path, ...container, key, canonicalJson(value)].join('\n'),
    ),
  ].join('\n');
}
