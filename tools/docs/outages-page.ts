import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DEPENDENCIES,
  documentedOutcome,
  REQUEST_NAMES,
  REQUESTS,
  TITLES,
  type Outcome,
} from '../../tests/stress/outage/documented.ts';
import { alignedTable, code } from './markdown.ts';
import { fillRegions } from './regions.ts';

const PATH = 'docs/operations/outages.md';

export function outagesPage(root: string): { path: string; present: string; wanted: string } {
  const present = readFileSync(join(root, PATH), 'utf8');
  return { path: PATH, present, wanted: fillRegions(present, { responses: responsesTable }) };
}

function responsesTable(): string {
  const columns = DEPENDENCIES.filter((dependency) =>
    REQUEST_NAMES.some((name) => documentedOutcome(name, dependency) !== REQUESTS[name].works),
  );
  const rows = REQUEST_NAMES.map((name) => [
    REQUESTS[name].title,
    ...columns.map((dependency) => {
      const outcome = documentedOutcome(name, dependency);
      return outcome === REQUESTS[name].works ? 'works' : describe(outcome);
    }),
  ]);
  return alignedTable(['Request', ...columns.map((column) => TITLES[column])], rows);
}

function describe({ status, code: error, degraded }: Outcome): string {
  if (degraded === true) return `${status}, ${code('degraded: true')}`;
  return error === undefined ? String(status) : `${status} ${code(error)}`;
}
