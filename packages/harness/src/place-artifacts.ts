import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { writeProblem } from '@catalog/core/artifact/write-problem';
import { FIRST_CLASS_TYPES, type Artifact, type RuleFallback } from '@catalog/core/artifact/types';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { shorten } from '@catalog/core/text/shorten';
import type {
  Capability,
  FileOperation,
  HarnessAdapter,
  PlaceContext,
  PlacedType,
  Untranslatable,
  UserSettings,
} from './adapter.ts';
import { checkCapabilities } from './check-capabilities.ts';
import { equalBytes } from './equal-bytes.ts';
import { plainNames, qualifiedNames } from './naming.ts';
import { ruleAsSkill } from './rule-fallback.ts';
import type { Plan, PlannedEntry, PlannedFile, UnsupportedArtifact } from './planned.ts';

export interface FilteredArtifacts {
  taken: Artifact[];
  plan: Plan;
}

interface FilterOptions {
  /** Handling of unsupported modes, which overrides that of the artifact. */
  rule_fallback?: RuleFallback | undefined;
  /** True if other targets read the same workspace, so that rules which are always loaded could reach them. */
  is_shared?: boolean;
  settings?: UserSettings | undefined;
}

/** Skips artifacts that exclude the harness, or that it does not support. */
export function filterArtifacts(
  artifacts: readonly Artifact[],
  adapter: HarnessAdapter,
  { rule_fallback, is_shared = false, settings }: FilterOptions = {},
): FilteredArtifacts {
  const plan: Plan = { files: [], entries: [], unsupported: [], fallbacks: [], left_out: [] };
  const taken = artifacts.flatMap((artifact) => {
    const fallback =
      rule_fallback ?? artifact.fields.rule_fallback ?? (is_shared ? 'skill' : 'always');
    const given = withRuleFallback(artifact, adapter, fallback, plan);
    if (given === undefined || !isSupported(given, adapter, plan)) return [];
    noteUnreadSettings(given, adapter, settings, plan);
    return [given];
  });
  return { taken, plan };
}

/** Reports settings that cannot be read, because an artifact could loosen them. */
function noteUnreadSettings(
  artifact: Artifact,
  { reads_settings }: HarnessAdapter,
  settings: UserSettings | undefined,
  plan: Plan,
): void {
  const [file] = settings?.unreadable ?? [];
  const warning = file === undefined ? undefined : reads_settings?.unread(artifact);
  if (warning === undefined) return;
  const { capability, reason } = warning;
  plan.fallbacks.push({
    artifact_id: artifact.id,
    capability,
    reason: `${file} cannot be read, so ${reason}`,
  });
}

/** Applies `rule_fallback` to a rule with an unsupported mode. */
function withRuleFallback(
  artifact: Artifact,
  adapter: HarnessAdapter,
  rule_fallback: RuleFallback,
  plan: Plan,
): Artifact | undefined {
  if (rule_fallback === 'always' || artifact.type !== 'rule' || !isFor(artifact, adapter)) {
    return artifact;
  }
  const { id: artifact_id, fields } = artifact;
  const capability = `rule_mode:${fields.rule_mode ?? 'always'}` as const;
  if (adapter.capabilities[capability] !== 'fallback') return artifact;
  const missing = `${adapter.id} does not support the rule mode ${fields.rule_mode ?? 'always'}`;
  if (rule_fallback === 'skip') {
    const reason = `${missing}, and \`rule_fallback\` is \`skip\``;
    plan.left_out.push({ artifact_id, reason, reported: true });
    return undefined;
  }
  if (adapter.capabilities['type:skill'] !== 'native') return artifact;
  plan.fallbacks.push({
    artifact_id,
    capability,
    reason: `${missing}, so the rule is delivered as a skill, which the model can load when it applies`,
  });
  return ruleAsSkill(artifact);
}

function isFor({ fields }: Artifact, adapter: HarnessAdapter): boolean {
  const { target_harnesses: targets = [] } = fields;
  return targets.length === 0 || targets.includes(adapter.id) || targets.includes(adapter.label);
}

function isSupported(artifact: Artifact, adapter: HarnessAdapter, plan: Plan): boolean {
  const { id, fields } = artifact;
  if (!isFor(artifact, adapter)) {
    const reason = `target_harnesses names only ${(fields.target_harnesses ?? []).join(', ')}`;
    plan.left_out.push({ artifact_id: id, reason });
    return false;
  }
  const { unsupported, fallback } = checkCapabilities(adapter, artifact);
  if (unsupported.length > 0) {
    const reason = refusalOf(adapter, unsupported);
    plan.unsupported.push({
      artifact_id: id,
      harness: adapter.id,
      capabilities: unsupported,
      reason,
    });
    return false;
  }
  for (const capability of fallback) {
    const reason = adapter.fallbacks[capability] ?? `${adapter.id} has no equivalent`;
    plan.fallbacks.push({ artifact_id: id, capability, reason });
  }
  for (const warning of adapter.warnings?.(artifact) ?? []) {
    plan.fallbacks.push({ artifact_id: id, ...warning });
  }
  return true;
}

export function refusalOf(
  { id, refusals }: HarnessAdapter,
  unsupported: readonly Capability[],
): string {
  const types = unsupported.filter((capability) => capability.startsWith('type:'));
  // If the type is unsupported, other features are redundant.
  const named = types.length > 0 ? types : unsupported;
  const reasons = new Set(named.flatMap((capability) => refusals[capability] ?? []));
  const what = `${id} does not support ${named.map(describe).join(', ')}`;
  return reasons.size === 0 ? what : `${what}: ${[...reasons].join('; ')}`;
}

function describe(capability: Capability): string {
  const [group = '', row = ''] = capability.split(':');
  return group === 'type' ? `the type ${row}` : `${group} ${row}`;
}

export interface Placed {
  files: PlannedFile[];
  entries: PlannedEntry[];
  unsupported: UnsupportedArtifact[];
  shared?: Map<string, Uint8Array>;
}

interface PlaceOptions {
  skillFolder: (id: string) => string | undefined;
  settings?: UserSettings | undefined;
}

export function placeArtifacts(
  artifacts: readonly Artifact[],
  adapter: HarnessAdapter,
  qualified: ReadonlySet<string>,
  { skillFolder, settings }: PlaceOptions,
): Placed {
  const placed: Placed = { files: [], entries: [], unsupported: [] };
  for (const artifact of artifacts) {
    const { id } = artifact;
    const names = qualified.has(id) ? qualifiedNames(id) : plainNames(id);
    const skill_folder = skillFolder(id);
    const context = {
      ...names,
      ...(skill_folder === undefined ? {} : { skill_folder }),
      ...(settings === undefined ? {} : { settings }),
    };
    const result = placeArtifact(artifact, adapter, context);
    if ('untranslatable' in result) {
      const reason = result.untranslatable;
      placed.unsupported.push({ artifact_id: id, harness: adapter.id, capabilities: [], reason });
    } else {
      addOperations(placed, artifact, result);
    }
  }
  return placed;
}

function placeArtifact(
  artifact: Artifact,
  adapter: HarnessAdapter,
  names: PlaceContext,
): FileOperation[] | Untranslatable {
  refuseUnsafeId(artifact.id);
  return adapter.place[placedType(artifact.type)](artifact, names);
}

/** Throws for an unsafe id, because ids become part of paths. */
export function refuseUnsafeId(id: string): void {
  const problem = pathProblem(id) ?? hiddenFolder(id);
  if (problem !== undefined) throw unsafePath(id, id, problem);
}

/** Returns a hidden folder in an id: with the harness `none`, `.git/hooks` would write code that runs. */
function hiddenFolder(id: string): string | undefined {
  return id.startsWith('.') || id.includes('/.')
    ? 'holds a name that starts with a dot'
    : undefined;
}

const firstClass: ReadonlySet<string> = new Set(FIRST_CLASS_TYPES);

function isFirstClass(type: string): type is PlacedType {
  return firstClass.has(type);
}

function placedType(type: string): PlacedType {
  return isFirstClass(type) ? type : 'extension';
}

export function addOperations(
  placed: Placed,
  { id: artifact_id, version, layer, content_hash }: Artifact,
  operations: readonly FileOperation[],
): void {
  for (const operation of operations) {
    const { path } = operation;
    refuseUnsafePath(artifact_id, path);
    switch (operation.kind) {
      case 'write': {
        const { bytes, executable, shared } = operation;
        if (shared === true && !isFirst(placed, path, bytes)) break;
        placed.files.push({
          path,
          bytes,
          executable,
          ...(shared === true ? { shared } : {}),
          artifact_id,
          version,
          layer,
          content_hash,
        });
        break;
      }
      case 'merge':
        placed.entries.push({
          path,
          entry: operation.entry,
          artifact_id,
          version,
          layer,
          content_hash,
        });
        break;
    }
  }
}

/** Returns true for the first of several equal files with the same path. */
function isFirst(placed: Placed, path: string, bytes: Uint8Array): boolean {
  placed.shared ??= new Map();
  const other = placed.shared.get(path);
  if (other !== undefined && equalBytes(other, bytes)) return false;
  placed.shared.set(path, bytes);
  return true;
}

/** Throws for a path that is not safe on every operating system. */
export function refuseUnsafePath(id: string, path: string): void {
  const problem = writeProblem(path, 'deliver');
  if (problem !== undefined) throw unsafePath(id, path, problem);
}

function unsafePath(id: string, path: string, problem: string): CatalogError {
  return new CatalogError(
    'materialize.target_invalid',
    `${printable(id)} cannot be written: the path ${printable(path)} ${problem}.`,
    {
      details: { path },
      suggested_action: 'Rename the file or folder in the registry, or exclude the artifact.',
    },
  );
}

function printable(text: string): string {
  return `"${shorten(escapeControls(text))}"`;
}
