import type { AdoptReport } from '@catalog/consumer/adopt/adopt-workspace';
import type { AdoptedObject } from '@catalog/harness/adopt/adopt-files';
import { shellWord } from '@catalog/core/text/shell-word';
import type { Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';

export interface AdoptedPlace {
  from: string;
  into: string;
  dry_run: boolean;
}

export function renderAdoption(
  report: AdoptReport,
  request: AdoptedPlace,
  session: Session,
): Line[] {
  const { things, other_members, passed_over } = report;
  if (things.length + other_members.length === 0) return emptyLines(report, request, session);
  return [
    ...table(things),
    ...section('Converted', things.flatMap(changesOf)),
    ...section('Copies that differ', things.flatMap(differencesOf)),
    ...section('Added from other copies', things.flatMap(mergedIn)),
    ...section('Kept in .originals, not installed', keptLines(things)),
    ...section('Skipped', [...things.flatMap(reasonOf), ...other_members.map(describeOthers)]),
    ...section(
      'Runs on your machine after a sync; review it first',
      report.executable_content.flatMap(({ id, content }) => content.map((one) => `${id}: ${one}`)),
    ),
    ...section(
      'Not read',
      passed_over.map(({ path, reason }) => `${path} ${reason}`),
    ),
    '',
    ...outcome(report, request, session),
    ...closingSteps(report),
  ];
}

function closingSteps({ originals }: AdoptReport): Line[] {
  const [first] = originals;
  if (first === undefined) return [];
  return [
    ...section(
      'To let catalog manage these, remove',
      originals.map(({ path, entries }) =>
        entries === null ? path : `in ${path}: ${entries.join(', ')}`,
      ),
    ),
    `Or let the sync take over files in the same place, with a backup: \`--take-over ${shellWord(first.path)}\``,
  ];
}

function emptyLines(
  { looked_at, harnesses }: AdoptReport,
  { from }: AdoptedPlace,
  session: Session,
): Line[] {
  return [
    `No agent files found in ${shortPath(from, session)} for ${harnesses.join(', ')}.`,
    `  checked ${looked_at.join(', ')}`,
    'Pass another folder with --from, or a harness with --harness; see `catalog harness list`.',
  ];
}

const TITLES = ['type', 'name', 'in', 'copies', 'becomes'];

function table(things: readonly AdoptedObject[]): Line[] {
  const header = TITLES.map((title): Line => [styled('bold', title)]);
  const rows = things.map((thing): Line[] => {
    const { type, name, copies } = thing;
    const harnesses = [...new Set(copies.flatMap((copy) => copy.harnesses))];
    return [type, name, harnesses.join(', '), copiesOf(thing), renderOutcome(thing)];
  });
  return alignColumns([header, ...rows]);
}

function renderOutcome({ id, outcome }: AdoptedObject): Line {
  if (id === null) return [styled('yellow', 'skipped')];
  return outcome === 'there' ? [id, styled('dim', ', already exists')] : [styled('green', id)];
}

function copiesOf({ copies }: AdoptedObject): string {
  if (copies.length === 1) return '1';
  const differ = copies.some(({ differs }) => differs.length > 0);
  return `${copies.length}, ${differ ? 'differ' : 'equal'}`;
}

function section(title: string, lines: readonly Line[]): Line[] {
  if (lines.length === 0) return [];
  const indented = lines.map((line): Line => ['  ', ...(typeof line === 'string' ? [line] : line)]);
  return ['', [styled('bold', title)], ...indented];
}

function changesOf({ id, changes }: AdoptedObject): string[] {
  return id === null ? [] : changes.map((change) => `${id}: ${change}`);
}

const CHOSEN_BY = { newest: 'modified last', first_harness: 'first in harness order' } as const;

function differencesOf({ id, copies, chosen_by }: AdoptedObject): string[] {
  const [used, ...others] = copies;
  if (id === null || used === undefined || chosen_by === null) return [];
  return others
    .filter(({ differs }) => differs.length > 0)
    .map(
      ({ path, differs }) =>
        `${id}: uses ${used.path} (${CHOSEN_BY[chosen_by]}); ${path} differs in ${differs.join(', ')}`,
    );
}

function mergedIn({ id, merged }: AdoptedObject): string[] {
  return merged.map(({ path, source }) => `${id}/${path}: from ${source}`);
}

/** Lists files whose path belongs to another copy, and counts converted files. */
function keptLines(things: readonly AdoptedObject[]): string[] {
  const all = things.flatMap(({ copies, kept }) =>
    kept.map((file) => ({ ...file, is_converted: file.sources[0] === copies[0]?.path })),
  );
  const others = all.filter(({ is_converted }) => !is_converted);
  const converted = all.length - others.length;
  return [
    ...others.map(({ path, sources }) => `${path}: from ${sources.join(', ')}`),
    ...(converted === 0 ? [] : [`${count(converted, 'converted file')}, under <id>/.originals/`]),
  ];
}

function reasonOf({ type, name, copies, reason }: AdoptedObject): string[] {
  return reason === null ? [] : [`${type} ${name} (${copies[0]?.path ?? ''}): ${reason}`];
}

const MAX_MEMBERS = 8;

function describeOthers({ path, members }: AdoptReport['other_members'][number]): string {
  const more = members.length - MAX_MEMBERS;
  const named = members.slice(0, MAX_MEMBERS).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${named} (${path}): no matching artifact type`;
}

function outcome(
  { things, files, deliver_to }: AdoptReport,
  { into, dry_run }: AdoptedPlace,
  session: Session,
): Line[] {
  const taken = things.filter((thing) => thing.id !== null && thing.outcome !== 'there');
  const folder = shortPath(into, session);
  const rest = describeRemaining(things);
  if (files.length === 0) return [`Nothing to write to ${folder}${rest}.`];
  if (dry_run) {
    const would = `Would write ${count(taken.length, 'artifact')} to ${folder}${rest}.`;
    return [`${would} Nothing was written.`];
  }
  return [
    [
      styled('green', 'Wrote'),
      ` ${count(taken.length, 'artifact')} (${count(files.length, 'file')}) to ${folder}${rest}.`,
    ],
    '',
    ...nextSteps(folder, deliver_to),
  ];
}

function describeRemaining(things: readonly AdoptedObject[]): string {
  const there = things.filter(({ outcome: what }) => what === 'there').length;
  const left = things.filter(({ id }) => id === null).length;
  return (there === 0 ? '' : `; ${there} already exist`) + (left === 0 ? '' : `; ${left} skipped`);
}

function nextSteps(folder: string, harnesses: readonly string[]): Line[] {
  const registry = shellWord(
    folder.startsWith('~') || folder.includes('/') ? folder : `./${folder}`,
  );
  // Harnesses support different artifact types, so a target can reject an artifact of another harness.
  const skip = harnesses.length > 1 ? ' --skip-unsupported' : '';
  const to = harnesses.length === 0 ? '' : ` --harness ${harnesses.join(',')}`;
  return [
    `Next: catalog lint ${registry}`,
    `      catalog sync --registry ${registry}${to}${skip}`,
  ];
}
