import type { CapabilityKind } from '@catalog/core/capabilities/capability';
import { isAddress } from '../config/is-address.ts';
import { isInside, realFolder } from '../config/real-folder.ts';
import { isGitAddress } from '../config/refuse-git-address.ts';
import type { Config, Sourced } from '../config/types.ts';
import { readChosenRegistries, recordChosenRegistry } from './approvals-file.ts';
import type { ContentRule, ContentVerdict } from './content-rule.ts';
import { isTyped } from './workspace-files.ts';

export interface PolicyDecision {
  verdict: ContentVerdict;
  source: string;
}

export interface PolicySubject {
  id: string;
  layer: string;
}

export interface ContentPolicy {
  /** Listing capabilities is then unnecessary. */
  readonly allows_all: boolean;
  decide(subject: PolicySubject, kind: CapabilityKind): PolicyDecision;
  origin(subject: PolicySubject): string;
}

export interface ContentOrigin {
  overlay_layer?: string | undefined;
  /** Artifacts of the overlay that extend one of the registry. */
  extending?: ReadonlySet<string> | undefined;
  /** Can only tighten the policy. */
  registry_rules?: readonly ContentRule[] | undefined;
}

type PolicyConfig = Pick<
  Config,
  | 'workspace'
  | 'registry'
  | 'overlay'
  | 'content_rules'
  | 'approvals_file'
  | 'targets'
  | 'marketplaces'
>;

interface Place {
  identity: string;
  fallback: PolicyDecision;
}

/**
 * Opens the policy of one run (SPEC-74). The user's own rules replace the default; rules of the
 * workspace and of the registry can only make the result stricter.
 */
export function openContentPolicy(
  config: PolicyConfig,
  listing: ContentOrigin,
  chosen_by: 'user' | 'agent' = 'user',
): ContentPolicy {
  const { registry, overlay, content_rules } = config;
  const served = registry === undefined ? undefined : toPlace(registry, config);
  const local = overlay === undefined ? undefined : toOverlayPlace(overlay, config);
  const files = content_rules.map(({ rules, origin }) => ({
    rules: rules.map(identified),
    origin,
  }));
  const users = files.filter(({ origin }) => origin.kind === 'user');
  const others = files.filter(({ origin }) => origin.kind !== 'user');
  const announced = listing.registry_rules ?? [];

  function decideAt(place: Place, layer: string, kind: CapabilityKind): PolicyDecision {
    const query = { registry: place.identity, layer, kind };
    const decisions = [
      findDecision(users, query) ?? fallbackFor(place, kind),
      ...others.map((file) => findDecision([file], query)),
      place === served ? findDecision([announcedBy(place, announced)], query) : undefined,
    ];
    return decisions.filter((decision) => decision !== undefined).reduce(stricter);
  }

  function fallbackFor({ fallback }: Place, kind: CapabilityKind): PolicyDecision {
    const runs = chosen_by === 'agent' && fallback.verdict === 'allow' && kind !== 'script';
    return runs ? CHOSEN_BY_AGENT : fallback;
  }

  function placesOf({ id, layer }: PolicySubject): Place[] {
    const isLocal = layer === listing.overlay_layer;
    const isServed = !isLocal || listing.extending?.has(id) === true;
    return [isLocal ? local : undefined, isServed ? served : undefined].filter(
      (place) => place !== undefined,
    );
  }

  const ruled = announced.length > 0 || files.some(({ rules }) => rules.length > 0);
  const places = [served, local].filter((place) => place !== undefined);
  return {
    allows_all:
      chosen_by === 'user' &&
      !ruled &&
      places.every(({ fallback }) => fallback.verdict === 'allow'),
    decide: (subject, kind) => {
      const [first, ...more] = placesOf(subject).map((place) =>
        decideAt(place, subject.layer, kind),
      );
      return first === undefined ? UNKNOWN_PLACE : more.reduce(stricter, first);
    },
    origin: (subject) => placesOf(subject).at(-1)?.identity ?? '',
  };
}

const UNKNOWN_PLACE: PolicyDecision = { verdict: 'ask', source: 'the default' };

/**
 * For artifacts the user did not choose (SPEC-64). Scripts need no prompt: they run only if the agent
 * runs them, under the permissions of its harness.
 */
const CHOSEN_BY_AGENT: PolicyDecision = {
  verdict: 'ask',
  source: 'the default for artifacts that an agent loads',
};

function toPlace(place: Sourced<string>, config: PolicyConfig): Place {
  return { identity: registryIdentity(place.value), fallback: defaultDecision(place, config) };
}

/**
 * Returns the origin of the overlay. It is as trusted as its workspace: it needs no approval only
 * inside that, or in a folder that the user typed.
 */
function toOverlayPlace(overlay: Sourced<string>, config: PolicyConfig): Place {
  const place = toPlace(overlay, config);
  const isWorkspaces = overlay.origin.kind === 'built-in' && place.fallback.verdict === 'allow';
  return isWorkspaces && writesOutside(config) ? { ...place, fallback: OVERLAY_OUTSIDE } : place;
}

const OVERLAY_OUTSIDE: PolicyDecision = {
  verdict: 'ask',
  source: 'the default for an overlay that is delivered outside its workspace',
};

function writesOutside({ workspace, targets, marketplaces }: PolicyConfig): boolean {
  const inside = realFolder(workspace);
  return [...targets, ...marketplaces].some(
    (target) => !isTyped(target) && !isInside(realFolder(target.directory), inside),
  );
}

/** Returns the same name in every run: a URL without a trailing slash, or a real folder. */
export function registryIdentity(registry: string): string {
  if (!isAddress(registry)) return isGitAddress(registry) ? registry : realFolder(registry);
  const { origin, pathname } = new URL(registry);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/**
 * Trusts a folder of the workspace as the workspace, and a registry that the user named, but not a git
 * repository, because anyone may own it.
 */
export function defaultDecision(
  { value, origin }: Sourced<string>,
  { workspace, approvals_file }: Pick<Config, 'workspace' | 'approvals_file'>,
): PolicyDecision {
  if (isGitAddress(value)) return { verdict: 'ask', source: 'the default for git repositories' };
  if (origin.kind === 'flag' || origin.kind === 'env' || origin.kind === 'user') {
    return { verdict: 'allow', source: `${origin.name}, which names the registry` };
  }
  if (!isAddress(value) && isInside(realFolder(value), realFolder(workspace))) {
    return { verdict: 'allow', source: 'the default for folders of the workspace' };
  }
  const chosen = readChosenRegistries(approvals_file).get(realFolder(workspace));
  if (chosen === registryIdentity(value)) {
    return { verdict: 'allow', source: 'catalog init, which named the registry' };
  }
  return { verdict: 'ask', source: `the default for registries named only by ${origin.name}` };
}

function identified({ registry, ...rule }: ContentRule): ContentRule {
  return registry === undefined ? rule : { ...rule, registry: registryIdentity(registry) };
}

interface RuleSet {
  rules: readonly ContentRule[];
  origin: { name: string };
}

function announcedBy({ identity }: Place, rules: readonly ContentRule[]): RuleSet {
  return { rules, origin: { name: `the policy of ${identity}` } };
}

interface CapabilityQuery {
  registry: string;
  layer: string;
  kind: CapabilityKind;
}

/** Returns the most specific decision; of equally specific ones, the strictest. */
function findDecision(
  files: readonly RuleSet[],
  query: CapabilityQuery,
): PolicyDecision | undefined {
  let best: { weight: number; decision: PolicyDecision } | undefined;
  for (const { rules, origin } of files) {
    for (const rule of rules.filter((one) => applies(one, query))) {
      const weight = weightOf(rule);
      const decision = { verdict: rule.policy, source: origin.name };
      if (best === undefined || weight > best.weight) best = { weight, decision };
      else if (weight === best.weight) {
        best = { weight, decision: stricter(best.decision, decision) };
      }
    }
  }
  return best?.decision;
}

function applies({ registry, layer, kinds }: ContentRule, query: CapabilityQuery): boolean {
  return (
    (registry === undefined || registry === query.registry) &&
    (layer === undefined || layer === query.layer) &&
    (kinds === undefined || kinds.includes(query.kind))
  );
}

/** Ranks a kind above a layer, and a layer above a registry. */
function weightOf({ registry, layer, kinds }: ContentRule): number {
  return (
    (registry === undefined ? 0 : 1) + (layer === undefined ? 0 : 2) + (kinds === undefined ? 0 : 4)
  );
}

const STRICTNESS: Readonly<Record<ContentVerdict, number>> = { allow: 0, ask: 1, deny: 2 };

function stricter(one: PolicyDecision, other: PolicyDecision): PolicyDecision {
  return STRICTNESS[other.verdict] > STRICTNESS[one.verdict] ? other : one;
}

/** Makes a registry count as named by the user. If recording fails, sync prompts. */
export function chooseRegistry(approvals_file: string, workspace: string, registry: string): void {
  try {
    recordChosenRegistry(approvals_file, realFolder(workspace), registryIdentity(registry));
  } catch {
    return;
  }
}
