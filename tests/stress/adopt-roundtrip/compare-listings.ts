import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { everything } from '../../../tools/harness-programs/fixtures.ts';
import { installProgram } from '../../../tools/harness-programs/install-program.ts';
import { namespaceCommand } from '../../../tools/harness-programs/namespace.ts';
import {
  kinds,
  type HarnessProgram,
  type Loaded,
} from '../../../tools/harness-programs/program.ts';
import { makeRoundTrip, placesIn, type Places, type Subject } from './trial.ts';

const SEALED = join(import.meta.dirname, 'list-in-namespace.ts');

export interface ListingTrial {
  /** Number of names that the program listed before, of all kinds. */
  listed: number;
  differences: string[];
}

/** Excludes hooks, which would block the program; they are executed separately. */
export async function compareListings(
  program: HarnessProgram,
  folder: string,
): Promise<ListingTrial> {
  const places = placesIn(folder);
  for (const [subject, part] of partsOf(program)) {
    await makeRoundTrip(within(places, part), subject, 'without');
    for (const workspace of [places.before, places.after]) {
      mkdirSync(join(workspace, part, '.git'), { recursive: true });
      const file = join(workspace, part, everything.file);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'text\n');
    }
  }
  const answers = await listLoaded(program, [places.before, places.after], folder);
  if ('problem' in answers) return { listed: 0, differences: [answers.problem] };
  const { before, after } = answers;
  const listed = Object.values(before).flat().length;
  const withoutListing = listed === 0 ? [`${program.title} listed nothing`] : [];
  const differences = kinds
    .filter((kind) => kind !== 'hook' && spelled(before[kind]) !== spelled(after[kind]))
    .map(
      (kind) =>
        `${program.title} listed as ${kind} ${spelled(before[kind])} before and ${spelled(after[kind])} after`,
    );
  return { listed, differences: [...withoutListing, ...differences] };
}

/** A product that mainly uses the home folder has a project and a home folder next to each other. */
function partsOf({ profile, with_home }: HarnessProgram): [Subject, string][] {
  const project: Subject = { harness: profile, scope: 'workspace' };
  if (with_home === undefined) return [[project, '.']];
  return [
    [project, 'project'],
    [{ harness: profile, scope: 'user' }, 'home'],
  ];
}

function within({ before, catalog: catalogFolder, after }: Places, part: string): Places {
  const at = (place: string): string => join(place, part);
  return { before: at(before), catalog: at(catalogFolder), after: at(after) };
}

function spelled(names: readonly string[] | undefined): string {
  return JSON.stringify((names ?? []).toSorted());
}

interface Listings {
  before: Loaded;
  after: Loaded;
}

async function listLoaded(
  program: HarnessProgram,
  workspaces: readonly [before: string, after: string],
  folder: string,
): Promise<Listings | { problem: string }> {
  const installed = JSON.stringify(await installProgram(program));
  const [unshare = '', ...words] = namespaceCommand();
  const node = [process.execPath, '--conditions=@catalog/source', SEALED];
  const { status, stdout, stderr } = spawnSync(
    unshare,
    [...words, ...node, program.name, installed, ...workspaces],
    { env: { ...process.env, TMPDIR: folder }, encoding: 'utf8' },
  );
  if (status !== 0) return { problem: `${program.title} could not be asked: ${stderr}` };
  const [before, after] = JSON.parse(stdout);
  return { before, after };
}
