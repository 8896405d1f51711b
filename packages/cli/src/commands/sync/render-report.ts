import { failingRejections } from '@catalog/consumer/sync/artifacts-rejected';
import { isAddress } from '@catalog/consumer/config/is-address';
import type { Config } from '@catalog/consumer/config/types';
import type { ArtifactMove } from '@catalog/consumer/sync/artifact-moves';
import { describeChange } from '@catalog/consumer/sync/describe-change';
import type { Change, FileChange, SyncReport, TargetReport } from '@catalog/consumer/sync/report';
import { quoteRegistry } from '@catalog/sdk/quote-server';
import { shortPath, shortRegistry, type Where } from '../../output/places.ts';
import { alignColumns, count, listSome, styled, type Line, type Style } from '../../output/text.ts';
import { budgetLine } from '../budget/render-budget.ts';
import { renderContent } from '../render-content.ts';
import { listSyncWarnings, type SyncWarning } from '../warnings/list-warnings.ts';
import { renderWarningSummary } from '../warnings/render-warnings.ts';
import { warningsCommand } from '../warnings/warnings-command.ts';
import { explainCommand } from './explain-command.ts';
import { renderFailure, renderSteps } from './render-marketplace.ts';
import { renderReplaced } from './render-replaced.ts';
import { renderTogglesReset } from './render-toggles.ts';

const SHOWN_PATHS = 20;
/** Maximum number of rejected artifacts, moved artifacts and taken-over files, each. */
const SHOWN_ARTIFACTS = 10;
const MAX_USER_FILES = 3;

const MARKS: Readonly<Record<Change, { mark: string; style: Style }>> = {
  added: { mark: '+', style: 'green' },
  changed: { mark: '~', style: 'yellow' },
  removed: { mark: '-', style: 'red' },
};

export interface Reading extends Where {
  config: Config;
  verbose?: boolean;
}

/** Renders the report: one line per target, then notices, and warnings if anything changed. */
export function renderReport(report: SyncReport, reading: Reading): Line[] {
  return renderTargets(report, reading, () => []);
}

export function renderUpdate(report: SyncReport, reading: Reading): Line[] {
  return renderTargets(report, reading, ({ moved }) => limited(moved.map(moveLine), 'artifacts'));
}

export function renderQuietly(report: SyncReport, reading: Reading): Line[] {
  return [
    ...renderFailure(report.error, 'the workspace targets', reading),
    ...renderProblems(report, reading, listSyncWarnings(report.targets, reading.config.home)),
  ];
}

function renderTargets(
  report: SyncReport,
  reading: Reading,
  more: (target: TargetReport) => Line[],
): Line[] {
  const warnings = listSyncWarnings(report.targets, reading.config.home);
  const summaries = alignColumns(
    report.targets.map((target) => [nameOf(target), summaryOf(report, target, warnings, reading)]),
  );
  return [
    ...renderFailure(report.error, 'the workspace targets', reading),
    ...report.targets.flatMap((target, index) => [
      ...summaries.slice(index, index + 1),
      ...budgetLines(target, reading),
      ...renderReplaced(report.mode, target, reading),
      ...renderTogglesReset(report.mode, target, reading),
      ...more(target),
      ...changeLines(shownChanges(report, target, reading), reading),
      ...renderContent(target.executable_content ?? [], 'executable content', '  '),
      ...renderSteps(target, reading),
      ...emptyLines(target, reading),
    ]),
    ...renderProblems(report, reading, warnings),
  ];
}

/** Returns the changes to show: losses of another harness, or all in a preview or with `--verbose`. */
function shownChanges(
  { mode }: SyncReport,
  target: TargetReport,
  { verbose = false }: Reading,
): readonly FileChange[] {
  const { replaced = [], changes } = target;
  if (verbose || mode !== 'sync') return changes;
  return replaced.length === 0 ? [] : changes.filter(({ change }) => change === 'removed');
}

/** Renders the size of the skill listing; nothing if it exceeds the limit, because a warning reports that. */
function budgetLines({ budget }: TargetReport, { verbose = false }: Reading): Line[] {
  if (!verbose || budget === undefined || budget.entries === 0 || budget.to_shorten > 0) return [];
  return [[styled('dim', `  ${budgetLine(budget)}`)]];
}

function moveLine({ id, from, to }: ArtifactMove): string {
  if (from === undefined) return `  ${id} ${to ?? ''} (new)`;
  if (to === undefined) return `  ${id} ${from} (removed)`;
  return from === to ? `  ${id} ${to} (content changed)` : `  ${id} ${from} -> ${to}`;
}

export function renderRemoval(report: SyncReport, dryRun: boolean, reading: Reading): Line[] {
  return report.targets.flatMap((target) => {
    const folder = shortPath(target.directory, reading);
    if (target.changes.length === 0) {
      return [
        `Nothing to remove: catalog has not installed anything in ${folder}`,
        ...keptUserFiles(target),
      ];
    }
    return [
      [
        `${dryRun ? 'Would remove' : 'Removed'} ${count(target.changes.length, 'file')} from ${folder} `,
        styled('dim', `(${formatDuration(report.duration_ms)})`),
      ],
      ...changeLines(target.changes, reading),
      ...keptUserFiles(target),
      ...renderFailure(target.error, target.target, reading),
    ];
  });
}

/** Lists files that `--remove` keeps, because the user had them before or edited them. */
function keptUserFiles({ pre_existing, kept, put_back = [] }: TargetReport): Line[] {
  const places = [
    ...put_back.map(
      ({ path, at }) => `${placeName(path, at)}: your version from before --take-over`,
    ),
    ...pre_existing.map(({ path, at }) => `${placeName(path, at)}: existed before catalog`),
    ...kept.map(({ path }) => `${path}: you edited it`),
  ];
  return limited(
    [...new Set(places)].map((place) => problemLine('dim', 'kept', place)),
    'files of yours',
  );
}

/** Formats a target: `claude-code`, or `team: claude-code` if configured. */
function nameOf({ target, harness }: TargetReport): Line {
  const isPlain = target === 'default' || target === harness;
  return [isPlain ? '' : `${target}: `, styled('bold', harness)];
}

function summaryOf(
  report: SyncReport,
  target: TargetReport,
  warnings: readonly SyncWarning[],
  { verbose = false, ...where }: Reading,
): Line {
  const pending = warnings.filter(
    (warning) =>
      warning.target === target.target &&
      warning.directory === target.directory &&
      warning.kind !== 'skipped' &&
      !warning.acknowledged,
  ).length;
  const changes = (['added', 'changed', 'removed'] as const).flatMap((change) => {
    const number = target.changes.filter((one) => one.change === change).length;
    return number === 0 ? [] : [`${number} ${wordFor(report.mode, change)}`];
  });
  const unchanged = verbose && target.unchanged > 0 ? [`${target.unchanged} unchanged`] : [];
  const files = [...changes, ...unchanged];
  const folder = shortPath(target.directory, where);
  const parts = [
    `${files.length > 0 ? files.join(', ') : describeUnchanged(target)}${folder === '.' ? '' : ` in ${folder}`}`,
    ...(target.skipped.length === 0 ? [] : [`${target.skipped.length} skipped`]),
    ...(pending === 0 ? [] : [count(pending, 'warning')]),
  ];
  return [
    parts.join(', '),
    ...(verbose ? [styled('dim', ` (${formatDuration(report.duration_ms)})`)] : []),
  ];
}

function describeUnchanged({ error, unchanged, pre_existing, artifacts }: TargetReport): string {
  if (error !== undefined) return 'failed';
  return unchanged + pre_existing.length + artifacts.length === 0 ? 'no files' : 'up to date';
}

function wordFor(mode: SyncReport['mode'], change: Change): string {
  const would = { added: 'to add', changed: 'to change', removed: 'to remove' } as const;
  return mode === 'check' || mode === 'dry-run' ? would[change] : change;
}

function changeLines(changes: readonly FileChange[], { verbose = false }: Reading): Line[] {
  const lines = changes
    .slice(0, verbose ? changes.length : SHOWN_PATHS)
    .map(({ path, change }): Line => {
      const { mark, style } = MARKS[change];
      return ['  ', styled(style, mark), ` ${path}`];
    });
  const more = changes.length - lines.length;
  return more > 0 ? [...lines, `  and ${more} more; to list all, add --verbose`] : lines;
}

function emptyLines(target: TargetReport, reading: Reading): Line[] {
  if (target.artifacts.length > 0 || target.rejected.length > 0) return [];
  if (target.denied !== undefined) return [];
  // The report of a marketplace describes the selection of each plugin.
  if (target.error !== undefined || target.marketplace !== undefined) return [];
  const scope = reading.config.targets.find(({ id }) => id === target.target)?.scope;
  const narrowed =
    scope !== undefined && scope.include.length + scope.exclude.length + scope.type.length > 0;
  const registry = shortRegistry(target.registry, target.directory, reading);
  return narrowed || target.skipped.length > 0
    ? [
        `  No artifacts from ${registry} are selected. Check --include, --exclude and --type, and the selection in \`catalog config show\`.`,
      ]
    : [
        `  ${registry} has no artifacts yet. To create one, run \`${startCommand(target.registry)}\`.`,
      ];
}

function startCommand(registry: string): string {
  return isAddress(registry)
    ? 'catalog layer register base --local-path ./artifacts'
    : 'catalog artifact new skill greetings/hello';
}

function renderProblems(
  report: SyncReport,
  reading: Reading,
  warnings: readonly SyncWarning[],
): Line[] {
  const { targets } = report;
  return [
    ...targets.flatMap((target) => noticeLines(target)),
    ...preExistingLines(targets, reading),
    ...targets.flatMap((target) => renderFailure(target.error, target.target, reading)),
    ...rejectionLines(report, reading),
    ...warningLines(report, reading, warnings),
  ];
}

function rejectionLines(report: SyncReport, reading: Reading): Line[] {
  const failing = failingRejections(report);
  const registries = new Map(report.targets.map((target) => [target.registry, target]));
  return [...registries.values()].flatMap(({ registry, rejected }) => {
    const tolerated = rejected.filter(({ artifact_id }) => !failing.has(artifact_id));
    if (tolerated.length === 0) return [];
    const layers = tolerated.map(({ layer }) => layer);
    const command = explainCommand(reading.config, layers, reading);
    const reasonOf = (reason: string): string =>
      isAddress(registry) ? quoteRegistry(registry, reason) : reason;
    return [
      ...limited(
        tolerated.map(({ artifact_id, reason }) =>
          problemLine('red', 'rejected', `${artifact_id}: ${reasonOf(reason)}`),
        ),
        'rejected artifacts',
      ),
      `${count(tolerated.length, 'artifact')} rejected; for details, run \`${command}\``,
    ];
  });
}

/** Renders warnings. A run without changes only counts them. */
function warningLines(
  { targets }: SyncReport,
  reading: Reading,
  warnings: readonly SyncWarning[],
): Line[] {
  const { verbose = false } = reading;
  const isIdle = targets.every(({ changes }) => changes.length === 0);
  if (isIdle && !verbose) return [];
  const pending = warnings.filter(({ acknowledged }) => verbose || !acknowledged);
  const lint = pending.filter(({ kind }) => kind === 'lint').length;
  const command = explainCommand(reading.config, [], reading);
  const harnesses = new Set(targets.map(({ harness }) => harness));
  const marketplaces = targets.some(({ marketplace }) => marketplace !== undefined);
  return [
    ...renderWarningSummary(
      pending.filter(({ kind }) => kind !== 'lint'),
      {
        verbose,
        several: harnesses.size > 1,
        command: warningsCommand(reading.config, reading, { marketplaces }),
      },
    ),
    ...(lint === 0 ? [] : [`${count(lint, 'lint warning')}; for details, run \`${command}\``]),
  ];
}

function noticeLines(target: TargetReport): Line[] {
  const claimed = target.claimed.map(({ path, at, claim }) =>
    problemLine(
      'yellow',
      claim === 'take-over' ? 'taken over' : 'recovered',
      `${placeName(path, at)}: now managed by catalog${backupOf(target, path)}`,
    ),
  );
  const kept = target.kept.map(({ path, kept_at }) =>
    problemLine(
      'yellow',
      'kept',
      path === kept_at
        ? `${path}: you edited it, so it stays and is yours now`
        : `${path}: you edited it; your version is in ${kept_at}`,
    ),
  );
  const accepted = (target.unexpected_changes ?? []).map((change) =>
    problemLine('yellow', 'accepted', describeChange(change)),
  );
  const put_back = (target.put_back ?? []).map(({ path, at }) =>
    problemLine(
      'yellow',
      'put back',
      `${placeName(path, at)}: your version from before --take-over`,
    ),
  );
  const unowned = (target.unowned ?? []).map((path) =>
    problemLine(
      'yellow',
      'left',
      `${path}: the lock lists it, but no sync on this machine wrote it there`,
    ),
  );
  return [...accepted, ...limited(claimed, 'files'), ...put_back, ...kept, ...unowned];
}

function preExistingLines(targets: readonly TargetReport[], { verbose = false }: Reading): Line[] {
  const places = new Set(
    targets.flatMap(({ pre_existing }) => pre_existing.map(({ path, at }) => placeName(path, at))),
  );
  if (places.size === 0) return [];
  const shown = listSome([...places], verbose ? places.size : MAX_USER_FILES);
  return [
    [
      styled('dim', 'yours'),
      ` ${shown}: existed before with the same content; to let catalog manage ${places.size === 1 ? 'it' : 'them'}, run \`catalog sync --take-over <glob>\``,
    ],
  ];
}

function placeName(path: string, at: readonly string[] | undefined): string {
  return at === undefined ? path : `${path} (${at.join('.')})`;
}

function backupOf({ backups = [] }: TargetReport, path: string): string {
  const backup = backups.find((one) => one.path === path);
  return backup === undefined ? '' : `; your version is in ${backup.kept_at}`;
}

function problemLine(style: Style, word: string, rest: string): Line {
  return [styled(style, word), ` ${rest}`];
}

function limited(lines: readonly Line[], what: string): Line[] {
  const more = lines.length - SHOWN_ARTIFACTS;
  return more > 0 ? [...lines.slice(0, SHOWN_ARTIFACTS), `and ${more} more ${what}`] : [...lines];
}

function formatDuration(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}
