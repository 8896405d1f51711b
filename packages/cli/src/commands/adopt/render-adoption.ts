import type { AdoptReport, AdoptRequest } from '@catalog/consumer/adopt/adopt-workspace';
import type { AdoptedThing } from '@catalog/harness/adopt/adopt-files';
import { shellWord } from '@catalog/core/text/shell-word';
import type { Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';

/** One table of what is there, then what changed, what differs and what was left, then the next step. */
export function renderAdoption(
  report: AdoptReport,
  request: AdoptRequest,
  session: Session,
): Line[] {
  const { things, passed_over } = report;
  if (things.length === 0) return emptyLines(report, request, session);
  return [
    ...table(things),
    ...section('Converted', things.flatMap(changesOf)),
    ...section('Copies that differ', things.flatMap(differencesOf)),
    ...section('Left', things.flatMap(reasonOf)),
    ...section(
      'Not read',
      passed_over.map(({ path, reason }) => `${path} ${reason}`),
    ),
    '',
    ...outcome(report, request, session),
  ];
}

function emptyLines(
  { looked_at, harnesses }: AdoptReport,
  { from }: AdoptRequest,
  session: Session,
): Line[] {
  return [
    `Nothing found in ${shortPath(from, session)} for ${harnesses.join(', ')}.`,
    `  looked at ${looked_at.join(', ')}`,
    'Name another folder with --from, or a harness with --harness; `catalog harness list` names them.',
  ];
}

const TITLES = ['type', 'name', 'in', 'copies', 'becomes'];

function table(things: readonly AdoptedThing[]): Line[] {
  const header = TITLES.map((title): Line => [styled('bold', title)]);
  const rows = things.map((thing): Line[] => {
    const { type, name, copies } = thing;
    const harnesses = [...new Set(copies.flatMap((copy) => copy.harnesses))];
    return [type, name, harnesses.join(', '), copiesOf(thing), becomes(thing)];
  });
  return alignColumns([header, ...rows]);
}

function becomes({ id, outcome }: AdoptedThing): Line {
  if (id === null) return [styled('yellow', 'left')];
  return outcome === 'there' ? [id, styled('dim', ', there already')] : [styled('green', id)];
}

function copiesOf({ copies }: AdoptedThing): string {
  if (copies.length === 1) return '1';
  const differ = copies.some(({ differs }) => differs.length > 0);
  return `${copies.length}, ${differ ? 'differ' : 'equal'}`;
}

function section(title: string, lines: readonly Line[]): Line[] {
  if (lines.length === 0) return [];
  const indented = lines.map((line): Line => ['  ', ...(typeof line === 'string' ? [line] : line)]);
  return ['', [styled('bold', title)], ...indented];
}

function changesOf({ id, changes }: AdoptedThing): string[] {
  return id === null ? [] : changes.map((change) => `${id}: ${change}`);
}

function differencesOf({ id, copies }: AdoptedThing): string[] {
  const [taken, ...others] = copies;
  if (id === null || taken === undefined) return [];
  return others
    .filter(({ differs }) => differs.length > 0)
    .map(
      ({ path, differs }) =>
        `${id}: taken from ${taken.path}; ${path} has another ${differs.join(', ')}`,
    );
}

function reasonOf({ type, name, copies, reason }: AdoptedThing): string[] {
  return reason === null ? [] : [`${type} ${name} (${copies[0]?.path ?? ''}): ${reason}`];
}

function outcome(
  { things, files, harnesses }: AdoptReport,
  { into, dry_run }: AdoptRequest,
  session: Session,
): Line[] {
  const taken = things.filter((thing) => thing.id !== null && thing.outcome !== 'there');
  const folder = shortPath(into, session);
  const rest = restOf(things);
  if (taken.length === 0) return [`Nothing to write into ${folder}${rest}.`];
  if (dry_run) {
    const would = `Would write ${count(taken.length, 'artifact')} into ${folder}${rest}.`;
    return [`${would} Nothing was written.`];
  }
  return [
    [
      styled('green', 'Wrote'),
      ` ${count(taken.length, 'artifact')} (${count(files.length, 'file')}) into ${folder}${rest}.`,
    ],
    '',
    ...nextSteps(folder, harnessesOf(taken, harnesses)),
  ];
}

function restOf(things: readonly AdoptedThing[]): string {
  const there = things.filter(({ outcome: what }) => what === 'there').length;
  const left = things.filter(({ id }) => id === null).length;
  return (there === 0 ? '' : `; ${there} there already`) + (left === 0 ? '' : `; ${left} left`);
}

/** What every agent reads is no reason to name a harness where there are others. */
const ANYBODYS = 'agents-md';

function harnessesOf(taken: readonly AdoptedThing[], asked: readonly string[]): string[] {
  const used = asked.filter((id) =>
    taken.some(({ copies }) => copies.some((copy) => copy.harnesses.includes(id))),
  );
  const own = used.filter((id) => id !== ANYBODYS);
  return own.length === 0 ? used : own;
}

function nextSteps(folder: string, harnesses: readonly string[]): Line[] {
  const registry = shellWord(
    folder.startsWith('~') || folder.includes('/') ? folder : `./${folder}`,
  );
  // What one harness has another may have no place for.
  const skip = harnesses.length > 1 ? ' --skip-unsupported' : '';
  return [
    `Next: catalog lint ${registry}`,
    `      catalog sync --registry ${registry} --harness ${harnesses.join(',')}${skip}`,
    'The originals lie where they were. A sync into the same folder asks that they be moved away first.',
  ];
}
