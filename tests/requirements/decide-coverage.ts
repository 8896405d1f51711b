import type { EntryPoint } from '@catalog/testkit/entry-points';
import type { RequirementRow } from '@catalog/testkit/requirement-rows';
import { requiredEntryPoint } from './required-entry-point.ts';

export interface TestOutcome {
  file: string;
  name: string;
  state: 'passed' | 'failed' | 'skipped';
  verifies: string[];
  through: EntryPoint[];
}

export interface UncoveredRequirement {
  id: string;
  area: string;
  requirement: string;
  reason: string;
}

export interface AreaCoverage {
  area: string;
  covered: number;
  total: number;
}

export interface Coverage {
  milestone: string;
  covered: number;
  total: number;
  missing: UncoveredRequirement[];
  areas: AreaCoverage[];
}

/** Requires a passed test that verifies the requirement through the required entry point. */
export function decideCoverage(
  rows: readonly RequirementRow[],
  outcomes: readonly TestOutcome[],
  milestone: string,
): Coverage {
  const selected = rows.filter((row) => row.milestone === milestone);
  const claims = Map.groupBy(
    outcomes.flatMap((outcome) => outcome.verifies.map((id) => ({ id, outcome }))),
    (claim) => claim.id,
  );
  const missing: UncoveredRequirement[] = [];
  const areas = new Map<string, AreaCoverage>();
  for (const row of selected) {
    const area = areas.get(row.area) ?? { area: row.area, covered: 0, total: 0 };
    areas.set(row.area, area);
    area.total += 1;
    const reason = whyUncovered(row, claims.get(row.id)?.map((claim) => claim.outcome) ?? []);
    if (reason === undefined) area.covered += 1;
    else missing.push({ id: row.id, area: row.area, requirement: row.requirement, reason });
  }
  return {
    milestone,
    covered: selected.length - missing.length,
    total: selected.length,
    missing,
    areas: [...areas.values()],
  };
}

function whyUncovered(row: RequirementRow, claiming: readonly TestOutcome[]): string | undefined {
  const entryPoint = requiredEntryPoint(row);
  if (claiming.length === 0)
    return entryPoint ? `no test; needs one through ${entryPoint}` : 'no test';
  const passed = claiming.filter((outcome) => outcome.state === 'passed');
  const [first] = claiming;
  if (passed.length === 0 && first) return `${first.state}: ${first.file}: ${first.name}`;
  if (entryPoint === undefined || passed.some((outcome) => outcome.through.includes(entryPoint))) {
    return undefined;
  }
  return `passed, but not through ${entryPoint}`;
}
