import type { ContentFinding, ContentReport } from './check-content.ts';
import { MAX_TOKEN_RATIO, tokenRatio } from './count-tokens.ts';

/**
 * Kept as authored, changed with a warning, left out by sync, changed silently, or unobservable because
 * the program ignores it.
 */
export type Fidelity = 'exact' | 'lossy, warned' | 'refused' | 'WRONG' | 'not observed';

export function fidelityOf({ authored, observed, refused, warnings }: ContentFinding): Fidelity {
  if (refused !== undefined) return 'refused';
  if (observed === authored) return 'exact';
  if (observed === undefined) return 'not observed';
  return warnings.length > 0 ? 'lossy, warned' : 'WRONG';
}

/** Results, best first: a type is as good as its worst check. */
const ORDER: readonly Fidelity[] = ['exact', 'refused', 'not observed', 'lossy, warned', 'WRONG'];

interface Section {
  title: string;
  workspace: 'alone' | 'together';
  isShown: (check: string) => boolean;
}

const SECTIONS: readonly Section[] = [
  {
    title: 'restricted agents',
    workspace: 'alone',
    isShown: (check) => /^agents\/.*: (?:writes|runs|calls) /.test(check),
  },
  {
    title: 'hooks',
    workspace: 'alone',
    isShown: (check) => check.startsWith('hooks/'),
  },
  {
    title: 'every profile in one workspace',
    workspace: 'together',
    isShown: (check) => /: times /.test(check),
  },
];

function sectionTable(
  { title, workspace, isShown }: Section,
  reports: readonly ContentReport[],
): string[] {
  const checks = (reports[0]?.[workspace] ?? []).map(({ check }) => check).filter(isShown);
  const rows = checks.map((check) => [
    check,
    ...reports.map((report) => {
      const finding = report[workspace].find((candidate) => candidate.check === check);
      return finding === undefined ? '' : OUTCOMES[fidelityOf(finding)](finding.observed ?? '');
    }),
  ]);
  return aligned([[title, ...reports.map(({ program }) => program)], ...rows]);
}

const OUTCOMES: Readonly<Record<Fidelity, (observed: string) => string>> = {
  exact: (observed) => observed,
  'lossy, warned': (observed) => `${observed}, warned`,
  WRONG: (observed) => `${observed}, WRONG`,
  refused: () => 'left out',
  'not observed': () => 'not observed',
};

export function contentTable(reports: readonly ContentReport[]): string {
  const types = [...new Set(reports.flatMap(({ alone }) => alone.map(typeOf)))];
  const cells = types.map((type) => [
    type,
    ...reports.map(({ alone }) => worstOf(alone.filter((finding) => typeOf(finding) === type))),
  ]);
  return [
    ...aligned([['type', ...reports.map(({ program }) => program)], ...cells]),
    '',
    ...SECTIONS.flatMap((section) => [...sectionTable(section, reports), '']),
    ...tokensTable(reports),
    '',
    ...reports.flatMap(({ program, alone, together }) => [
      ...differences(`${program}, alone`, alone),
      ...differences(`${program}, with other profiles`, together),
    ]),
    '',
  ].join('\n');
}

function tokensTable(reports: readonly ContentReport[]): string[] {
  const rows = reports.flatMap(({ program, tokens }) => {
    if (tokens === undefined) return [];
    const { authored, reached, marks } = tokens;
    return [
      [program, ...[authored, reached, marks].map(Math.round), tokenRatio(tokens).toFixed(2)],
    ];
  });
  const title = ['tokens, every profile', 'authored', 'reached', 'marks', 'ratio'];
  return aligned([title, ...rows.map((row) => row.map(String))]);
}

export function isFaithful({ alone, together, tokens }: ContentReport): boolean {
  const isLean = tokens === undefined || tokenRatio(tokens) <= MAX_TOKEN_RATIO;
  return isLean && [...alone, ...together].every((finding) => fidelityOf(finding) !== 'WRONG');
}

function typeOf({ check }: ContentFinding): string {
  return check.split('/')[0] ?? '';
}

function worstOf(findings: readonly ContentFinding[]): Fidelity {
  const all = findings.map(fidelityOf);
  return ORDER.findLast((fidelity) => all.includes(fidelity)) ?? 'not observed';
}

function differences(where: string, findings: readonly ContentFinding[]): string[] {
  return findings.flatMap((finding) => {
    const fidelity = fidelityOf(finding);
    if (fidelity === 'exact') return [];
    const { check, authored, observed = 'nothing', refused, warnings } = finding;
    const reason = [refused ?? [], warnings].flat().join('; ');
    return [
      `${where}: ${check}: ${fidelity}, authored "${authored}", observed "${observed}"${reason && ` (${reason})`}`,
    ];
  });
}

export function plantedTable(reports: readonly ContentReport[]): string {
  const errors = [...new Set(reports.flatMap(({ planted }) => planted.map(({ error }) => error)))];
  const rows = errors.map((error) => [
    error,
    ...reports.map(({ planted }) => {
      const finding = planted.find((candidate) => candidate.error === error);
      if (finding === undefined || finding.changed === 0) return 'no such file';
      return finding.noticed_by.length > 0 ? `noticed (${finding.noticed_by.length})` : 'no';
    }),
  ]);
  const noticed = errors.filter((error) => isNoticed(error, reports));
  return [
    ...aligned([['planted error', ...reports.map(({ program }) => program)], ...rows]),
    '',
    ...errors.map((error) => `${error}: ${checksFor(error, reports).join(', ') || 'NOT NOTICED'}`),
    '',
    ...reports.map(({ program, planted }) => {
      const applicable = planted.filter(({ changed }) => changed > 0);
      const seen = applicable.filter(({ noticed_by }) => noticed_by.length > 0);
      return `${program}: ${seen.length} of ${applicable.length} noticed`;
    }),
    `${noticed.length} of ${errors.length} noticed`,
    '',
  ].join('\n');
}

/** An error with `by_each` must be noticed by every program whose files it changed. */
export function isNoticed(error: string, reports: readonly ContentReport[]): boolean {
  const concerned = reports
    .flatMap(({ planted }) => planted)
    .filter((finding) => finding.error === error && finding.changed > 0);
  const noticed = concerned.filter(({ noticed_by }) => noticed_by.length > 0);
  const isDemandedOfEach = concerned.some(({ by_each }) => by_each);
  return noticed.length > 0 && (!isDemandedOfEach || noticed.length === concerned.length);
}

function checksFor(error: string, reports: readonly ContentReport[]): string[] {
  const checks = reports.flatMap(({ planted }) =>
    planted.filter((finding) => finding.error === error).flatMap(({ noticed_by }) => noticed_by),
  );
  return [...new Set(checks)];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
