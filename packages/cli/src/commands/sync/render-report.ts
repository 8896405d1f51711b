import { failsRun } from '@catalog/consumer/sync/artifacts-rejected';
import { isAddress } from '@catalog/consumer/config/is-address';
import type { Config } from '@catalog/consumer/config/types';
import type { ArtifactMove } from '@catalog/consumer/sync/artifact-moves';
import { describeChange } from '@catalog/consumer/sync/describe-change';
import type { Change, SyncReport, TargetReport } from '@catalog/consumer/sync/report';
import { shortPath, shortRegistry, type Where } from '../../output/places.ts';
import { count, styled, type Line, type Style } from '../../output/text.ts';
import { budgetLine } from '../budget/render-budget.ts';
import { renderContent } from '../render-content.ts';
import { explainCommand } from './explain-command.ts';
import { renderFailure, renderSteps } from './render-marketplace.ts';
import { renderReplaced } from './render-replaced.ts';
import { renderTogglesReset } from './render-toggles.ts';

/** Paths shown of one target; the rest is counted. */
const SHOWN_PATHS = 20;
/** Rejected, skipped and otherwise told artifacts shown of one target, of each kind. */
const SHOWN_ARTIFACTS = 10;
/** Ids in one warning that is the same for several artifacts. */
const SHOWN_IDS = 3;

const MARKS: Readonly<Record<Change, { mark: string; style: Style }>> = {
  added: { mark: '+', style: 'green' },
  changed: { mark: '~', style: 'yellow' },
  removed: { mark: '-', style: 'red' },
};

/** What a report is read with. */
export interface Reading extends Where {
  config: Config;
}

/** A run as a person wants to read it: one line per target, what changed, and what needs attention. */
export function renderReport(report: SyncReport, reading: Reading): Line[] {
  return renderTargets(report, reading, () => []);
}

/** The same, with the artifacts that moved to another version: what an update is run for. */
export function renderUpdate(report: SyncReport, reading: Reading): Line[] {
  return renderTargets(report, reading, ({ moved }) => limited(moved.map(moveLine), 'artifacts'));
}

function renderTargets(
  report: SyncReport,
  reading: Reading,
  more: (target: TargetReport) => Line[],
): Line[] {
  return [
    ...renderFailure(report.error, 'the workspace targets', reading),
    ...report.targets.flatMap((target) => [
      summaryLine(report, target, reading),
      ...budgetLines(target),
      ...renderReplaced(report.mode, target, reading),
      ...renderTogglesReset(report.mode, target, reading),
      ...more(target),
      ...changeLines(target),
      ...renderContent(target.executable_content ?? [], 'executable content', '  '),
      ...renderSteps(target, reading),
      ...emptyLines(target, reading),
      ...renderProblems(target, reading),
    ]),
    ...renderRejections(report, reading),
  ];
}

/** How much of the harness's room for descriptions this takes, and where to look if it is too much. */
function budgetLines({ budget }: TargetReport): Line[] {
  if (budget === undefined || budget.entries === 0) return [];
  return budget.to_shorten === 0
    ? [[styled('dim', `  ${budgetLine(budget)}`)]]
    : [['  ', styled('yellow', budgetLine(budget)), '; `catalog budget` says which to shorten']];
}

/** `ops/check 1.0.0 -> 1.1.0`. */
function moveLine({ id, from, to }: ArtifactMove): string {
  if (from === undefined) return `  ${id} ${to ?? ''} (new)`;
  if (to === undefined) return `  ${id} ${from} (gone)`;
  return from === to ? `  ${id} ${to} (other contents)` : `  ${id} ${from} -> ${to}`;
}

/** What `--remove` took away, or with `--dry-run` would take. */
export function renderRemoval(report: SyncReport, dryRun: boolean, reading: Reading): Line[] {
  return report.targets.flatMap((target) => {
    const folder = shortPath(target.directory, reading);
    if (target.changes.length === 0) {
      return [`Nothing to remove: catalog has written nothing in ${folder}`, ...keptYours(target)];
    }
    return [
      [
        `${dryRun ? 'to remove' : 'removed'} from ${folder}  ${count(target.changes.length, 'file')} `,
        styled('dim', `(${formatDuration(report.duration_ms)})`),
      ],
      ...changeLines(target),
      ...keptYours(target),
      ...renderFailure(target.error, target.target, reading),
    ];
  });
}

/** What `--remove` leaves behind, because it was there before catalog or was edited since. */
function keptYours({ pre_existing, kept }: TargetReport): Line[] {
  const places = [
    ...pre_existing.map(({ path, at }) => `${placeName(path, at)}: was there before catalog`),
    ...kept.map(({ path }) => `${path}: edited by hand`),
  ];
  return limited(
    [...new Set(places)].map((place) => problemLine('dim', 'stays', place)),
    'files of yours',
  );
}

function summaryLine(report: SyncReport, target: TargetReport, where: Where): Line {
  const numbers = (['added', 'changed', 'removed'] as const).map((change) => {
    const number = target.changes.filter((one) => one.change === change).length;
    return `${number} ${wordFor(report.mode, change)}`;
  });
  const isPlain = target.target === 'default' || target.target === target.harness;
  const name = isPlain ? '' : `${target.target}: `;
  return [
    name,
    styled('bold', target.harness),
    ` -> ${shortPath(target.directory, where)}  ${numbers.join(', ')}, ${target.unchanged} unchanged `,
    styled('dim', `(${formatDuration(report.duration_ms)})`),
  ];
}

function wordFor(mode: SyncReport['mode'], change: Change): string {
  const would = { added: 'to add', changed: 'to change', removed: 'to remove' } as const;
  return mode === 'check' || mode === 'dry-run' ? would[change] : change;
}

function changeLines({ changes }: TargetReport): Line[] {
  const lines = changes.slice(0, SHOWN_PATHS).map(({ path, change }): Line => {
    const { mark, style } = MARKS[change];
    return ['  ', styled(style, mark), ` ${path}`];
  });
  const more = changes.length - lines.length;
  return more > 0 ? [...lines, `  and ${more} more; --json lists all`] : lines;
}

/** A run that delivers nothing says why, and what would change that. */
function emptyLines(target: TargetReport, reading: Reading): Line[] {
  if (target.artifacts.length > 0 || target.rejected.length > 0) return [];
  // Of a marketplace, what its plugins select is told by plugin.
  if (target.error !== undefined || target.marketplace !== undefined) return [];
  const scope = reading.config.targets.find(({ id }) => id === target.target)?.scope;
  const narrowed =
    scope !== undefined && scope.include.length + scope.exclude.length + scope.type.length > 0;
  const registry = shortRegistry(target.registry, target.directory, reading);
  return narrowed || target.skipped.length > 0
    ? [
        `  No artifact of ${registry} is selected: look at --include, --exclude and --type, and at defaults, profiles and targets in \`catalog config show\`.`,
      ]
    : [`  ${registry} has no artifacts yet. Start one: \`${startCommand(target.registry)}\``];
}

function startCommand(registry: string): string {
  return isAddress(registry)
    ? 'catalog layer register base --local-path ./artifacts'
    : 'catalog artifact new skill greetings/hello';
}

/** What of the registry is not good enough to deliver, once for all targets that read from it. */
export function renderRejections({ targets }: SyncReport, reading: Reading): Line[] {
  const registries = new Map(targets.map((target) => [target.registry, target]));
  return [...registries.values()].flatMap((target) => {
    // The others are the error the run ends with.
    const byServer = target.rejected.filter((row) => !failsRun(target, row));
    const rejected = byServer.map(({ artifact_id, reason }) =>
      problemLine('red', 'rejected', `${artifact_id}: ${reason}`),
    );
    return [
      ...limited(rejected, 'rejected'),
      ...lintHint({ ...target, rejected: byServer }, reading),
    ];
  });
}

/** What was left out of a target, and what needs a look; with the rejections all that `--quiet` shows. */
export function renderProblems(target: TargetReport, reading: Reading): Line[] {
  const skipped = target.skipped.map(({ artifact_id, reason }) =>
    problemLine('yellow', 'skipped', `${artifact_id}: ${reason}`),
  );
  const fallbacks = [...Map.groupBy(target.fallbacks, ({ reason }) => reason)].map(
    ([reason, uses]) => {
      const ids = uses.map(({ artifact_id }) => artifact_id);
      return problemLine('yellow', 'warning', `${listIds(ids)}: ${reason}`);
    },
  );
  const claimed = target.claimed.map(({ path, at, claim }) =>
    problemLine(
      'yellow',
      claim === 'take-over' ? 'taken over' : 'recovered',
      `${placeName(path, at)}: managed by catalog from now on${backupOf(target, path)}`,
    ),
  );
  const kept = target.kept.map(({ path, kept_at }) =>
    problemLine(
      'yellow',
      'kept',
      path === kept_at
        ? `${path}: edited by hand, so it stays; it is yours now`
        : `${path}: edited by hand; your version is now ${kept_at}`,
    ),
  );
  const accepted = (target.unexpected_changes ?? []).map((change) =>
    problemLine('yellow', 'accepted', describeChange(change)),
  );
  return [
    ...accepted,
    ...limited(skipped, 'skipped'),
    ...limited(fallbacks, 'warnings'),
    ...limited(claimed, 'files'),
    ...preExistingLines(target),
    ...kept,
    ...renderFailure(target.error, target.target, reading),
  ];
}

/** Files that were there before catalog, and what they mean for a sync. */
function preExistingLines({ pre_existing }: TargetReport): Line[] {
  if (pre_existing.length === 0) return [];
  const places = pre_existing.map(({ path, at }) => placeName(path, at));
  return [
    ...limited(
      [...new Set(places)].map((place) =>
        problemLine('dim', 'yours', `${place}: already there with the same content; left alone`),
      ),
      'files of yours',
    ),
    [styled('dim', '  `catalog sync --take-over <glob>` lets catalog manage them')],
  ];
}

/** `.mcp.json (mcpServers.db)`. */
function placeName(path: string, at: readonly string[] | undefined): string {
  return at === undefined ? path : `${path} (${at.join('.')})`;
}

function backupOf({ backups = [] }: TargetReport, path: string): string {
  const backup = backups.find((one) => one.path === path);
  return backup === undefined ? '' : `; your version is in ${backup.kept_at}`;
}

/** `ops/a, ops/b, ops/c and 42 more`. */
function listIds(ids: readonly string[]): string {
  const more = ids.length - SHOWN_IDS;
  const shown = ids.slice(0, SHOWN_IDS).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function problemLine(style: Style, word: string, rest: string): Line {
  return [styled(style, word), ` ${rest}`];
}

function lintHint({ rejected, warnings }: TargetReport, reading: Reading): Line[] {
  const found = [
    ...(rejected.length > 0 ? [`${rejected.length} rejected`] : []),
    ...(warnings.length > 0 ? [count(warnings.length, 'lint warning')] : []),
  ];
  if (found.length === 0) return [];
  const layers = rejected.map(({ layer }) => layer);
  const command = explainCommand(reading.config, layers, reading);
  return [`${found.join(', ')}; \`${command}\` shows where and what to do`];
}

function limited(lines: readonly Line[], what: string): Line[] {
  const more = lines.length - SHOWN_ARTIFACTS;
  return more > 0 ? [...lines.slice(0, SHOWN_ARTIFACTS), `and ${more} more ${what}`] : [...lines];
}

/** `80 ms`, `1.4 s`. */
function formatDuration(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}
