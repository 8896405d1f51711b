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
  /** True if everything is allowed, so that capabilities need not be listed. */
  readonly allows_all: boolean;
  decide(subject: PolicySubject, kind: CapabilityKind): PolicyDecision;
  origin(subject: PolicySubject): string;
}

export interface ContentOrigin {
  overlay_layer?: string | undefined;
  /** Overlay artifacts that extend one of the registry. */
  extending?: ReadonlySet<string> | undefined;
  /** Rules of the registry, which can only make the policy stricter. */
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
 * Opens the policy of a run (SPEC-74). The user's own rules replace the default; those of workspace and registry can
 * only make it stricter.
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
 * Default for artifacts that an agent chose (SPEC-64). Scripts need no prompt, because they run only under the
 * permissions of the harness.
 */
const CHOSEN_BY_AGENT: PolicyDecision = {
  verdict: 'ask',
  source: 'the default for artifacts that an agent loads',
};

function toPlace(place: Sourced<string>, config: PolicyConfig): Place {
  return { identity: registryIdentity(place.value), fallback: defaultDecision(place, config) };
}

/**
 * Returns the origin of the overlay, which is as trusted as its workspace. It needs no approval inside of that, or in a
 * folder that the user typed.
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

/** Returns the name of a registry for approvals: a URL without a trailing slash, or a real path. */
export function registryIdentity(registry: string): string {
  if (!isAddress(registry)) return isGitAddress(registry) ? registry : realFolder(registry);
  const { origin, pathname } = new URL(registry);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/**
 * Returns the default decision. A folder of the workspace and a registry that the user named are trusted; a git
 * repository is not, because anyone may own it.
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

/** Returns how specific a rule is: kinds count most, then the layer, then the registry. */
function weightOf({ registry, layer, kinds }: ContentRule): number {
  return (
    (registry === undefined ? 0 : 1) + (layer === undefined ? 0 : 2) + (kinds === undefined ? 0 : 4)
  );
}

const STRICTNESS: Readonly<Record<ContentVerdict, number>> = { allow: 0, ask: 1, deny: 2 };

function stricter(one: PolicyDecision, other: PolicyDecision): PolicyDecision {
  return STRICTNESS[other.verdict] > STRICTNESS[one.verdict] ? other : one;
}

/** Records that the user named a registry. On failure, a sync asks. */
export function chooseRegistry(approvals_file: string, workspace: string, registry: string): void {
  try {
    recordChosenRegistry(approvals_file, realFolder(workspace), registryIdentity(registry));
  } catch {
    return;
  }
}
