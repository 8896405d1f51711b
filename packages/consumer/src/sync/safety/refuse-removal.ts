import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { viewerOf } from '../../identity/subject-of.ts';
import { replacedHarnesses } from '../report-directory.ts';
import type { Place } from './find-removal.ts';
import type { PlanFacts, ConsentPrompt } from './rule.ts';

/** Minimum number of files for the check that all would be removed. */
const MIN_ALL = 3;
/** Minimum number of files for the check that more than half would be removed. */
const MIN_HALF = 10;

/** Rejects removing files that only the caller of the last sync could see. */
export function refuseOtherIdentity({
  plan: { directory },
  removal: { unasked },
  registry,
  caller,
  options,
}: PlanFacts): CatalogError | undefined {
  const hidden = unasked.filter(({ moves }) => !moves);
  if (caller === undefined || options.accept_identity === true || hidden.length === 0) {
    return undefined;
  }
  const { viewer, last_viewer: before } = caller;
  if (before === undefined || before === viewer) return undefined;
  const who =
    viewer === viewerOf(undefined)
      ? `You are not signed in to ${registry}, and the last sync of ${directory} was`
      : `You are signed in to ${registry} as a different user than at the last sync of ${directory}`;
  return new CatalogError(
    'auth.identity_changed',
    `${who}. This sync would remove ${count(hidden)} that you can no longer see, so nothing was changed.\n${listed(hidden)}`,
    { details: { directory, registry, removed: pathsOf(hidden) } },
  );
}

export function refuseMassRemoval({
  plan,
  removal: { managed, unasked, added },
  options,
}: PlanFacts): CatalogError | undefined {
  if (options.allow_removal === true) return undefined;
  const net = unasked.length - added;
  const all = net >= managed && net >= MIN_ALL;
  const isMajority = managed >= MIN_HALF && net * 2 > managed;
  if (!all && !isMajority) return undefined;
  const { directory } = plan;
  return new CatalogError(
    'materialize.removal_refused',
    `The registry no longer serves most of what catalog installed in ${directory}: this sync would remove ${unasked.length} of ${managed} managed files and entries. Nothing was changed.\n${listed(unasked)}`,
    { details: { directory, removed: pathsOf(unasked), managed } },
  );
}

export function confirmReplacedHarnesses({
  plan,
  removal: { dropped, managed },
  config,
  options,
}: PlanFacts): CatalogError | ConsentPrompt | undefined {
  const { kind } = config.harness.origin;
  if (options.allow_removal === true || (kind !== 'flag' && kind !== 'env')) return undefined;
  const harnesses = replacedHarnesses(plan);
  if (harnesses.length === 0 || dropped.length === 0) return undefined;
  const { directory } = plan;
  const removed = pathsOf(dropped);
  const all = [...new Set([...harnesses, ...config.targets.map(({ harness }) => harness)])];
  const refusal = new CatalogError(
    'materialize.removal_refused',
    `${config.harness.origin.name} leaves out ${harnesses.join(', ')}, so this sync would remove ${count(dropped)} of ${harnesses.length === 1 ? 'that harness' : 'those harnesses'} from ${directory}. Nothing was changed.\n${listed(dropped)}`,
    {
      details: { directory, removed, managed, harnesses },
      suggested_action: `To keep them, run \`catalog sync --harness ${all.join(',')}\`. To remove them, add --allow-removal.`,
    },
  );
  const ask = options.mode === 'sync' ? options.confirmRemoval : undefined;
  if (ask === undefined) return refusal;
  return { ask: () => ask({ directory, harnesses, removed }), refusal };
}

const SHOWN = 10;

function listed(places: readonly Place[]): string {
  const paths = pathsOf(places);
  const lines = paths.slice(0, SHOWN).map((path) => `  ${path}`);
  const more = paths.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

function pathsOf(places: readonly Place[]): string[] {
  return [...new Set(places.map(({ path }) => path))];
}

function count(places: readonly Place[]): string {
  const paths = pathsOf(places).length;
  return paths === 1 ? '1 file' : `${paths} files`;
}
