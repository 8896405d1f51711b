import { ARTIFACT_KEYS } from '@catalog/core/artifact/frontmatter-keys';
import type { Artifact } from '@catalog/core/artifact/types';
import { keyReader } from '@catalog/core/capabilities/executable-keys';
import type { Json } from '@catalog/core/json';
import type { ArtifactWarning, Capability } from '../adapter.ts';
import { NATIVE_KEYS, type Consequence, type KeyedType } from './native-keys.ts';
import { authoredText, authoredTurns, authoredValue, TURN_KEYS } from './project-frontmatter.ts';

/**
 * Support of a key. `converted`: another name or value. A function is for keys that are written in part and returns the
 * effect as a sentence without a period, or undefined.
 */
export type KeySupport = 'native' | 'converted' | ((artifact: Artifact) => string | undefined);

/** Supported keys; others are reported as not written. */
export type SupportedKeys = Readonly<Record<string, KeySupport>>;

interface LostKey {
  key: string;
  reason: string;
  acts: boolean;
}

const HARNESS_KEYS: ReadonlySet<string> = new Set([
  'effort_hint',
  'model_class_hint',
  'input',
  'output',
]);

/** Returns warnings about keys. Those that neither limit nor run anything share a minor one. */
export function keyWarnings(
  type: KeyedType,
  { render, takes = {} }: { render?: unknown; takes?: SupportedKeys },
  artifact: Artifact,
): ArtifactWarning[] {
  // Without a renderer, all keys are written as authored.
  if (render === undefined) return [];
  const capability = capabilityOf(type, artifact);
  if (capability === undefined) return [];
  const lost = Object.entries(artifact.manifest?.values ?? {}).flatMap(
    ([key, value]): LostKey[] => {
      if (!isReportable(type, key) || isPlain(key, value)) return [];
      const support = Object.hasOwn(takes, key) ? takes[key] : undefined;
      if (typeof support === 'string') return [];
      const consequence = keyConsequence(type, key);
      const reason =
        support === undefined ? lostKey(artifact, key, consequence) : support(artifact);
      return reason === undefined ? [] : [{ key, reason, acts: consequence !== null }];
    },
  );
  const minor = lost.filter(({ acts }) => !acts).map(({ key }) => `\`${key}\``);
  return [
    ...lost.filter(({ acts }) => acts).map(({ reason }) => ({ capability, reason })),
    ...(minor.length === 0
      ? []
      : [{ capability, reason: notWritten(minor), minor: true as const }]),
  ];
}

function notWritten(keys: readonly string[]): string {
  return `${keys.join(', ')} ${keys.length === 1 ? 'is' : 'are'} not written`;
}

/** Returns false for canonical keys of the type, which are written or reported as fields. */
function isReportable(type: KeyedType, key: string): boolean {
  const canonical = ARTIFACT_KEYS.get(key);
  if (canonical === undefined || HARNESS_KEYS.has(key)) return true;
  // A rule written as a skill keeps its own keys.
  return type !== 'skill' && canonical.types !== undefined && !canonical.types.includes(type);
}

function capabilityOf(type: KeyedType, { fields }: Artifact): Capability | undefined {
  if (type === 'rule') return `rule_mode:${fields.rule_mode ?? 'always'}`;
  if (type !== 'hook') return `type:${type}`;
  return fields.hook_event === undefined ? undefined : `hook_event:${fields.hook_event}`;
}

/** Default values, whose loss has no effect. */
const PLAIN: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['permissionMode', 'default'],
  ['approvalMode', 'default'],
  ['model', 'inherit'],
  ['mode', 'subagent'],
  ['kind', 'local'],
  ['enabled', true],
  ['user-invocable', true],
]);

/** Keys for which `false` or an empty list is a limit. */
const LIMITS_WHEN_EMPTY: ReadonlySet<string> = new Set([
  'tools',
  'allowed-tools',
  'includeTools',
  'enabled_tools',
  'enabled',
  'agents',
  'user-invocable',
  'alwaysApply',
]);

function isPlain(key: string, value: Json): boolean {
  if (value === null || PLAIN.get(key) === value) return true;
  if (LIMITS_WHEN_EMPTY.has(key)) return false;
  return value === false || value === '' || (typeof value === 'object' && isEmpty(value));
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** Names of other keys that limit something. */
const LIMITING =
  /deny|denied|disallow|disable|exclude|restrict|forbid|block|limit|max|readonly|read_only/i;

/** Returns the consequence of a lost key; null if it neither limits nor runs anything. */
export function keyConsequence(type: KeyedType, key: string): Consequence {
  const known = NATIVE_KEYS[type];
  if (Object.hasOwn(known, key)) return known[key] ?? null;
  const reader = keyReader(key);
  if (reader === 'inert' || reader === 'opaque') return null;
  if (reader !== 'unknown') return 'what it runs or grants does not take effect';
  return LIMITING.test(key) ? 'what it limits stays as in the session' : null;
}

function lostKey(artifact: Artifact, key: string, consequence: Consequence): string {
  if (key === 'model') return lostModel(artifact);
  return `\`${key}\` is not written${consequence === null ? '' : `, so ${consequence}`}`;
}

function lostModel(artifact: Artifact): string {
  return `the model ${authoredText(artifact, 'model') ?? 'it names'} is not written, so that of the session is used`;
}

/** Returns the support of models; others are lost. */
export function modelsOf(model: (artifact: Artifact) => string | undefined): KeySupport {
  return (artifact) => (model(artifact) === undefined ? lostModel(artifact) : undefined);
}

/** Returns the support of some values; others are lost. */
export function valuesOf(
  type: KeyedType,
  key: string,
  accepted: (artifact: Artifact) => Json | undefined,
): KeySupport {
  return (artifact) =>
    accepted(artifact) === undefined && authoredValue(artifact, key) !== undefined
      ? lostKey(artifact, key, keyConsequence(type, key))
      : undefined;
}

export const TURNS: SupportedKeys = Object.fromEntries(
  TURN_KEYS.map((key) => [key, valuesOf('agent', key, authoredTurns)]),
);
