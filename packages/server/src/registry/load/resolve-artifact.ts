import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { SessionChoice } from '@catalog/core/ports/sessions';
import type { HeadRecord } from '@catalog/core/ports/versions';
import { isSpecific, parsePin, resolvePin, type Pin } from '@catalog/core/version/pin';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { CallContext, Registry } from '../registry.ts';
import type { View, ViewLayer } from '../view/view.ts';

/** Exact version of an artifact, and the layer that serves it. */
export interface ResolvedArtifact {
  layer: ViewLayer;
  id: string;
  version: string;
}

/** Request for an artifact, with an optional pin and layer. */
export interface ArtifactRequest {
  id: string;
  /** Pin; empty for the latest version. */
  version: string;
  /** Layer; if empty or absent, the one that serves the artifact. */
  layer?: string | undefined;
  session_id?: string | undefined;
}

const SESSION_HOURS = 24;

/** Cached by view, because a view is replaced when its content changes. */
const resolved = new WeakMap<View, Map<string, ResolvedArtifact>>();
const MAX_RESOLVED = 50_000;

/**
 * Selects the layer with the highest precedence, then the version in it (SPEC-21). If that layer lacks an exact version
 * or hash, lower layers are searched, including withdrawn artifacts. Returns undefined if nothing visible matches.
 */
export async function resolveArtifact(
  registry: Registry,
  context: CallContext,
  view: View,
  { id, version, layer = '', session_id }: ArtifactRequest,
): Promise<ResolvedArtifact | undefined> {
  if (layer !== '') return findInLayer(context, view, layer, id, parsePin(version));
  if (version === '' && session_id !== undefined) {
    return resolveInSession(registry, context, view, id, session_id);
  }
  const known = resolutionsOf(view);
  const key = keyOf(id, version);
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = await findVersion(context, view, id, parsePin(version));
  if (found !== undefined) remember(known, key, found);
  return found;
}

/** Resolves the latest versions with one read, which is cached for later loads. */
export async function resolveLatest(
  context: CallContext,
  view: View,
  ids: readonly string[],
): Promise<void> {
  const known = resolutionsOf(view);
  const unknown = ids.filter((id) => !known.has(keyOf(id, '')));
  if (unknown.length === 0) return;
  for (const [id, { layer, version }] of await listWinners(context, view, unknown)) {
    const found = toResolved(view, id, layer, version);
    if (found !== undefined) remember(known, keyOf(id, ''), found);
  }
}

function keyOf(id: string, version: string): string {
  return `${id}\0${version}`;
}

function remember(
  known: Map<string, ResolvedArtifact>,
  key: string,
  found: ResolvedArtifact,
): void {
  if (known.size >= MAX_RESOLVED) known.clear();
  known.set(key, found);
}

function resolutionsOf(view: View): Map<string, ResolvedArtifact> {
  let known = resolved.get(view);
  if (known === undefined) {
    known = new Map();
    resolved.set(view, known);
  }
  return known;
}

async function findVersion(
  { tenant }: CallContext,
  view: View,
  id: string,
  pin: Pin,
): Promise<ResolvedArtifact | undefined> {
  const { versions } = view.reads;
  const winner = winningHead(view, await versions.listHeadsOf(tenant, view.stack, [id]));
  if (pin.kind === 'latest') return winner && toResolved(view, id, winner.layer, winner.version);
  const places = isSpecific(pin)
    ? winnerFirst(view, winner)
    : winner === undefined
      ? []
      : [winner.layer];
  for (const layer of places) {
    const found = resolvePin(pin, await versions.listVersions(tenant, layer, id));
    if (found !== undefined) return toResolved(view, id, layer, found.version);
  }
  return undefined;
}

async function findInLayer(
  { tenant }: CallContext,
  view: View,
  layer: string,
  id: string,
  pin: Pin,
): Promise<ResolvedArtifact | undefined> {
  const number = view.layers.find((one) => one.id === layer)?.number;
  if (number === undefined) return undefined;
  const { versions } = view.reads;
  const [head] = await versions.listHeadsOf(tenant, [number], [id]);
  const found =
    pin.kind === 'latest'
      ? head
      : isSpecific(pin) || head !== undefined
        ? resolvePin(pin, await versions.listVersions(tenant, number, id))
        : undefined;
  return found && toResolved(view, id, number, found.version);
}

/** Returns the head of each id in its highest layer. Ids without one are absent. */
export async function listWinners(
  { tenant }: CallContext,
  view: View,
  ids: readonly string[],
): Promise<ReadonlyMap<string, HeadRecord>> {
  const heads = await view.reads.versions.listHeadsOf(tenant, view.stack, ids);
  const winners = new Map<string, HeadRecord>();
  for (const [id, held] of Map.groupBy(heads, (head) => head.id)) {
    const winner = winningHead(view, held);
    if (winner !== undefined) winners.set(id, winner);
  }
  return winners;
}

/** Returns the head in the highest layer. */
export function winningHead(
  view: Pick<View, 'ranks'>,
  heads: readonly HeadRecord[],
): HeadRecord | undefined {
  let winner: HeadRecord | undefined;
  let highest = -1;
  for (const head of heads) {
    const rank = view.ranks.get(head.layer) ?? -1;
    if (rank <= highest) continue;
    winner = head;
    highest = rank;
  }
  return winner;
}

function winnerFirst(view: View, winner: HeadRecord | undefined): number[] {
  const others = view.stack.toReversed().filter((layer) => layer !== winner?.layer);
  return winner === undefined ? others : [winner.layer, ...others];
}

function toResolved(
  view: View,
  id: string,
  number: LayerNumber,
  version: string,
): ResolvedArtifact | undefined {
  const layer = view.byNumber.get(number);
  const isGranted = view.narrowing?.loads(id, version) !== false;
  return layer && isGranted ? { layer, id, version } : undefined;
}

/** Resolves `latest` in a session, which keeps its first version (LOAD-09) while that version is visible. */
async function resolveInSession(
  registry: Registry,
  context: CallContext,
  view: View,
  id: string,
  session_id: string,
): Promise<ResolvedArtifact | undefined> {
  const { tenant, caller } = context;
  const session = { subject: caller.kind === 'subject' ? caller.subject : '', session_id };
  const now = registry.now();
  const moment = now.toISOString();
  const remembered = await registry.store.sessions.get(tenant, session, id, moment);
  const kept = remembered && (await recall(context, view, id, remembered));
  if (kept !== undefined) return kept;
  const latest = await resolveArtifact(registry, context, view, { id, version: '' });
  if (latest === undefined || remembered !== undefined) return latest;
  const expires = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  const choice = await registry.store.transaction((writes) =>
    writes.sessions.remember(
      tenant,
      session,
      id,
      { layer: latest.layer.number, version: latest.version },
      { now: moment, expires_at: expires.toISOString() },
    ),
  );
  return (await recall(context, view, id, choice)) ?? latest;
}

async function recall(
  { tenant }: CallContext,
  view: View,
  id: string,
  { layer, version }: SessionChoice,
): Promise<ResolvedArtifact | undefined> {
  if (!view.ranks.has(layer)) return undefined;
  const versions = await view.reads.versions.listVersions(tenant, layer, id);
  return versions.some((stored) => stored.version === version)
    ? toResolved(view, id, layer, version)
    : undefined;
}

/** Creates the error for hidden and missing artifacts alike (SPEC-16). */
export function noSuchArtifact(id: string): CatalogError {
  return new CatalogError('registry.not_found', 'The artifact or version does not exist.', {
    details: { id },
  });
}
