import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { FIRST_CLASS_TYPES, type Artifact } from '@catalog/core/artifact/types';
import { escapeControls } from '@catalog/core/text/escape-controls';
import { shorten } from '@catalog/core/text/shorten';
import type {
  Capability,
  FileOperation,
  HarnessAdapter,
  PlaceContext,
  PlacedType,
  Untranslatable,
} from './adapter.ts';
import { checkCapabilities } from './check-capabilities.ts';
import { clashError, findClashes } from './clashes.ts';
import { plainNames, qualifiedNames } from './naming.ts';
import type { PlannedEntry, PlannedFile, PlanOptions } from './planned.ts';

/** An artifact the harness cannot take, and why. */
export interface UnsupportedArtifact {
  artifact_id: string;
  harness: string;
  /** The cells of the matrix that forbid it; empty where the reason is the artifact's own. */
  capabilities: Capability[];
  reason: string;
}

/** An artifact the harness takes otherwise than authored. */
export interface FallbackUse {
  artifact_id: string;
  capability: Capability;
  /** What happens instead. */
  reason: string;
}

/** An artifact that is not meant for the harness. */
export interface LeftOutArtifact {
  artifact_id: string;
  reason: string;
}

/** Everything a harness shall hold of some artifacts, in the order they were given. */
export interface Plan {
  files: PlannedFile[];
  entries: PlannedEntry[];
  /** What the harness cannot take; whether that fails the run is the caller's decision (38, 50). */
  unsupported: UnsupportedArtifact[];
  /** What it takes otherwise than authored. */
  fallbacks: FallbackUse[];
  /** What `target_harnesses` keeps from it: no error (DELIV-09). */
  left_out: LeftOutArtifact[];
}

/**
 * Plans what a harness gets of some artifacts. Pure, and nothing is planned halfway: two artifacts
 * in each other's way, or a path that no system should be handed, refuse the whole plan.
 */
export function planArtifacts(
  artifacts: readonly Artifact[],
  adapter: HarnessAdapter,
  options: PlanOptions,
): Plan {
  const plan: Plan = { files: [], entries: [], unsupported: [], fallbacks: [], left_out: [] };
  const taken = artifacts.filter((artifact) => isTaken(artifact, adapter, plan));
  const qualified = new Set<string>();
  for (;;) {
    const placed = placeArtifacts(taken, adapter, qualified);
    const clashes = findClashes(placed.files, placed.entries);
    if (clashes.length === 0) {
      plan.unsupported.push(...placed.unsupported);
      return { ...plan, files: placed.files, entries: placed.entries };
    }
    const before = qualified.size;
    if (options.on_clash === 'qualify') {
      for (const { artifact_ids } of clashes) for (const id of artifact_ids) qualified.add(id);
    }
    if (qualified.size === before) throw clashError(clashes, adapter.id, options);
  }
}

/** Sorts out what is not for the harness or beyond it, and notes the fallbacks. */
function isTaken(artifact: Artifact, adapter: HarnessAdapter, plan: Plan): boolean {
  const { id, fields } = artifact;
  const { target_harnesses: targets = [] } = fields;
  if (targets.length > 0 && !targets.includes(adapter.id) && !targets.includes(adapter.label)) {
    const reason = `target_harnesses names only ${targets.join(', ')}`;
    plan.left_out.push({ artifact_id: id, reason });
    return false;
  }
  const { unsupported, fallback } = checkCapabilities(adapter, artifact);
  if (unsupported.length > 0) {
    const reason = `${adapter.id} does not take ${unsupported.map(describe).join(', ')}`;
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
  return true;
}

/** `rule_mode:auto` as a person says it. */
function describe(capability: Capability): string {
  const [group = '', row = ''] = capability.split(':');
  return group === 'type' ? `the type ${row}` : `${group} ${row}`;
}

interface Placed {
  files: PlannedFile[];
  entries: PlannedEntry[];
  unsupported: UnsupportedArtifact[];
}

function placeArtifacts(
  artifacts: readonly Artifact[],
  adapter: HarnessAdapter,
  qualified: ReadonlySet<string>,
): Placed {
  const placed: Placed = { files: [], entries: [], unsupported: [] };
  for (const artifact of artifacts) {
    const { id } = artifact;
    const names = qualified.has(id) ? qualifiedNames(id) : plainNames(id);
    const result = placeArtifact(artifact, adapter, names);
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
  const problem = pathProblem(artifact.id) ?? hiddenFolder(artifact.id);
  if (problem !== undefined) throw unsafePath(artifact.id, artifact.id, problem);
  return adapter.place[placedType(artifact.type)](artifact, names);
}

/**
 * Folders whose name starts with a dot hold no artifacts, and no artifact may become one: under
 * `none` an id such as `.git/hooks` would be code that runs.
 */
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

function addOperations(
  placed: Placed,
  { id: artifact_id, version, layer, content_hash }: Artifact,
  operations: readonly FileOperation[],
): void {
  for (const operation of operations) {
    const { path } = operation;
    const problem = pathProblem(path);
    if (problem !== undefined) throw unsafePath(artifact_id, path, problem);
    switch (operation.kind) {
      case 'write': {
        const { bytes, executable } = operation;
        placed.files.push({
          path,
          bytes,
          executable,
          artifact_id,
          version,
          layer,
          content_hash,
        });
        break;
      }
      case 'merge-json':
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
