import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { adapters, loadAdapter } from '@catalog/harness/registry';
import {
  measurementOfFailures,
  resultOfParts,
  type Measurement,
} from '../../../bench/benchmark.ts';
import { programs } from '../../../tools/harness-programs/programs/index.ts';
import { singleRun } from '../single-run.ts';
import { compareListings } from './compare-listings.ts';
import { compareHooks } from './run-hooks.ts';
import { makeRoundTrip, placesIn, type RoundTrip, type Subject } from './trial.ts';

/** Number of hooks to run per harness; a smaller test runs one. */
const ALL_HOOKS = 100;
/** Programs for every run; the full size uses all programs that can be installed. */
const REQUIRED_PROGRAMS = ['claude-code', 'codex', 'skills-ref'];

export const adoptRoundtrip = singleRun({
  name: 'adopt-roundtrip',
  summary:
    'Adopts the full fixture, in the form a user would have it for each harness, into a registry and syncs it back. Only the order of keys, marks and ownership records may differ, hooks must behave the same, and the real programs must accept the result.',
  n: ALL_HOOKS,
  small_n: 1,
  run: async ({ n, folder }) => {
    const trips = await tripAll(folder, n);
    const listings = await compareAllListings(
      folder,
      n === ALL_HOOKS ? undefined : REQUIRED_PROGRAMS,
    );
    const losses = trips.flatMap(({ losses: lost, name }) => lost.map((one) => `${name}: ${one}`));
    const different = trips.flatMap(({ hooks, name }) =>
      hooks.differences.map((one) => `${name}: ${one}`),
    );
    const unlike = listings.flatMap(({ differences }) => differences);
    const parts = [
      measure('files', trips.length, losses.length),
      measure(
        'hooks',
        sum(trips, ({ hooks }) => hooks.tried),
        different.length,
      ),
      measure('programs', listings.length, unlike.length),
    ];
    const notes = [
      `${sum(trips, ({ files }) => files)} files of ${trips.length} harnesses and scopes, ${sum(trips, ({ taken }) => taken)} items adopted; programs run: ${listings.map(({ name, listed }) => `${name} (${listed} names)`).join(', ')}`,
      ...notesOn(trips),
      ...[...losses, ...different, ...unlike].slice(0, 10),
    ];
    return resultOfParts('adopt-roundtrip', parts, notes);
  },
});

interface NamedTrip extends RoundTrip {
  name: string;
  adapter: HarnessAdapter;
  hooks: { tried: number; differences: string[] };
}

/** Round-trips every harness in a project, and in the home folder if it differs there. */
async function tripAll(folder: string, hooks: number): Promise<NamedTrip[]> {
  const subjects = [...adapters.values()].flatMap(({ id, adopt, user }): Subject[] => {
    if (adopt === undefined) return [];
    const project: Subject = { harness: id, scope: 'workspace' };
    return user === undefined ? [project] : [project, { harness: id, scope: 'user' }];
  });
  const trips: NamedTrip[] = [];
  for (const subject of subjects) {
    const { harness, scope } = subject;
    const name = scope === 'user' ? `${harness} at home` : harness;
    const places = placesIn(join(folder, scope, harness));
    const adapter = loadAdapter(harness, scope);
    const trip = await makeRoundTrip(places, subject);
    const tried = compareHooks(places.before, places.after, adapter, hooks);
    trips.push({ ...trip, name, adapter, hooks: tried });
  }
  return trips;
}

interface NamedListing {
  name: string;
  listed: number;
  differences: string[];
}

async function compareAllListings(
  folder: string,
  names: readonly string[] | undefined,
): Promise<NamedListing[]> {
  const listings: NamedListing[] = [];
  for (const program of programs) {
    const isProgram = program.installs !== undefined && program.stands_in === undefined;
    if (!isProgram || names?.includes(program.name) === false) continue;
    const place = join(folder, 'programs', program.name);
    mkdirSync(place, { recursive: true });
    listings.push({ name: program.title, ...(await compareListings(program, place)) });
  }
  return listings;
}

/** Lists differences that adopt reported, and which are therefore not losses. */
function notesOn(trips: readonly NamedTrip[]): string[] {
  const having = (fits: (adapter: HarnessAdapter) => boolean): string =>
    trips
      .filter(({ adapter, files }) => files > 0 && fits(adapter))
      .map(({ name }) => name)
      .join(', ');
  const has = (kind: string) => (adapter: HarnessAdapter) =>
    adapter.adopt?.some((source) => source.kind === kind) === true;
  const announced = Map.groupBy(
    trips.flatMap((trip) => trip.announced),
    (reason) => reason,
  );
  const left = Map.groupBy(
    trips.flatMap(({ name, left: all }) => all.map((one) => ({ name, one }))),
    ({ one }) => one,
  );
  return [
    ...[...left].map(([one, from]) => `left: ${one} (${from.map(({ name }) => name).join(', ')})`),
    ...[...announced].map(
      ([reason, all]) => `told and not as it was, ${all.length} times: ${reason}`,
    ),
    `rules in one file come back as one rule: ${having(sharesRules)}`,
    `hooks keep their product's contract and are for it alone: ${having(hasOwnContract)}`,
    `hooks that are programs of the product are left: ${having(has('programs'))}`,
    `nothing of the fixture is kept in files here: ${trips
      .filter(({ files }) => files === 0)
      .map(({ name }) => name)
      .join(', ')}`,
    `${sum(trips, ({ unread: unreadCount }) => unreadCount)} files no product reads by itself are not adopted: what agents, commands and hooks bring along, contexts, data`,
  ];
}

function sharesRules({ destinations }: HarnessAdapter): boolean {
  return destinations.rule?.into === 'block';
}

function hasOwnContract({ adopt = [] }: HarnessAdapter): boolean {
  return adopt.some((source) => source.kind === 'hooks' && source.wrapped);
}

function measure(what: string, n: number, losses: number): Measurement {
  const name = `adopt-roundtrip: ${what}`;
  return { ...measurementOfFailures(name, n, losses), unit: 'losses' };
}

function sum<T>(all: readonly T[], pick: (one: T) => number): number {
  return all.reduce((total, one) => total + pick(one), 0);
}
