import type { Verdict } from './check-program.ts';

export interface ProgramResult {
  title: string;
  verdicts: readonly Verdict[];
  problem?: string;
  stands_in?: string;
}

export function isPassed({ verdicts, problem }: ProgramResult): boolean {
  return problem === undefined && verdicts.every(isGood);
}

function isGood({ accepted, refused_broken }: Verdict): boolean {
  return accepted && refused_broken;
}

export function verdictTable(judgements: readonly ProgramResult[]): string {
  const verdicts = judgements.flatMap((judgement) => judgement.verdicts);
  const header = ['program', 'version', 'kind', 'accepted', 'refused broken', 'seconds'];
  const rows = verdicts.map((verdict) => [
    verdict.program,
    verdict.version,
    verdict.kind,
    yesOrNo(verdict.accepted),
    yesOrNo(verdict.refused_broken),
    verdict.seconds.toFixed(1),
  ]);
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = [header, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const reasons = judgements.flatMap(({ title, stands_in }) =>
    stands_in === undefined ? [] : [`${title}: ${stands_in}`],
  );
  const problems = judgements.flatMap(({ title, problem }) =>
    problem === undefined ? [] : [`failed ${title}: ${problem}`],
  );
  const passed = verdicts.filter(isGood).length;
  const failed = verdicts.length - passed + problems.length;
  return [
    ...lines,
    ...(reasons.length > 0 ? ['', 'not judged by the product itself', ...reasons] : []),
    ...problems,
    ...differences(verdicts),
    `${passed} passed, ${failed} failed`,
    '',
  ].join('\n');
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'NO';
}

/** A problem of a workspace affects every kind. */
function differences(verdicts: readonly Verdict[]): string[] {
  const lines = verdicts.flatMap(({ program, kind, workspaces, broken, refused_broken }) => [
    ...workspaces
      .filter(({ accepted }) => !accepted)
      .map(({ workspace, expected, loaded, problem }) =>
        problem === undefined
          ? `failed ${program}, ${kind}, workspace ${workspace}: expected [${expected.join(', ')}], loaded [${loaded.join(', ')}]`
          : `failed ${program}, workspace ${workspace}: ${problem}`,
      ),
    ...(refused_broken
      ? []
      : [
          broken.problem === undefined
            ? `failed ${program}, ${kind}: the broken workspace was not refused, loaded [${broken.loaded.join(', ')}]`
            : `failed ${program}, workspace broken: ${broken.problem}`,
        ]),
  ]);
  return [...new Set(lines)];
}
