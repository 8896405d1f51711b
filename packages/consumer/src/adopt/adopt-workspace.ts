import { existsSync } from 'node:fs';
import { adoptFiles, type AdoptedObject, type Adoption } from '@catalog/harness/adopt/adopt-files';
import type { OwnedFiles } from '@catalog/harness/adopt/candidate';
import { listPathsToRead } from '@catalog/harness/adopt/list-paths-to-read';
import { originalsOf, type Original } from '@catalog/harness/adopt/originals';
import type { OtherMembers } from '@catalog/harness/adopt/other-members';
import { wantedScripts } from '@catalog/harness/adopt/wanted-scripts';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { adapters, loadAdapter, type WorkspaceScope } from '@catalog/harness/registry';
import { loadLock } from '../lock/read-lock.ts';
import { refuseDirectory } from '../paths/refuse-directory.ts';
import { WorkspaceReader, type SkippedPath } from './read-workspace.ts';
import {
  filesToWrite,
  compareWithFolder,
  writeFiles,
  type PackageComparison,
} from './write-packages.ts';

export interface AdoptRequest {
  from: string;
  /** Folder for the artifacts; need not exist. */
  into: string;
  /** Harnesses in order of preference; if undefined, those in use in the workspace. */
  harnesses: readonly string[] | undefined;
  scope: WorkspaceScope;
  domain: string;
  dry_run: boolean;
}

export interface AdoptReport {
  harnesses: string[];
  /** Paths that were read, relative to the workspace. */
  looked_at: string[];
  things: AdoptedObject[];
  /** Parts of files that were not adopted. */
  other_members: OtherMembers[];
  passed_over: SkippedPath[];
  /** Written files, relative to the catalog; in a dry run, those that would be written. */
  files: string[];
  deliver_to: string[];
  /** Original files that would block a sync or appear twice after it. */
  originals: Original[];
  executable_content: ExecutableContent[];
}

export interface ExecutableContent {
  id: string;
  content: string[];
}

export function adoptWorkspace(request: AdoptRequest): AdoptReport {
  const { from, into, dry_run } = request;
  refuseDirectory(into, from, 'author');
  const chosen = chooseAdapters(request);
  const sources = chosen.flatMap((adapter) => adapter.adopt ?? []);
  const read_paths = listPathsToRead(sources);
  const reader = new WorkspaceReader(from);
  const { files, passed_over } = reader.read(read_paths);
  reader.followLinks(listPathsToRead([...adapters.values()].flatMap(({ adopt = [] }) => adopt)));
  reader.read({ folders: [], files: wantedScripts(sources, files) });
  const preference = request.harnesses === undefined ? 'latest' : 'first';
  const adoption = adoptFiles(
    { files, owned: ownedOf(from) },
    { adapters: chosen, preference, domain: request.domain },
  );
  const { things, write } = compareWithCatalog(adoption, into);
  const { other_members } = adoption;
  const deliver_to = harnessesOf(things, chosen);
  const originals = originalsOf({
    things,
    artifacts: adoption.artifacts.filter(({ id }) => things.some((thing) => thing.id === id)),
    adapters: chosen.filter(({ id }) => deliver_to.includes(id)),
    files,
    unread: passed_over.map(({ path }) => path),
    other_members,
  });
  return {
    harnesses: chosen.map(({ id }) => id),
    looked_at: [...read_paths.folders, ...read_paths.files],
    things,
    other_members,
    passed_over,
    files: write(dry_run),
    deliver_to,
    originals,
    executable_content: [],
  };
}

export function compareWithCatalog(
  { packages, things }: Pick<Adoption, 'packages' | 'things'>,
  into: string,
): { things: AdoptedObject[]; write: (dry_run: boolean) => string[] } {
  const proposed = packages.map((made) => {
    const comparison = compareWithFolder(into, made);
    return { id: made.id, standing: comparison, files: filesToWrite(made, comparison) };
  });
  return {
    things: things.map((thing) =>
      withComparison(thing, proposed.find(({ id }) => id === thing.id)?.standing),
    ),
    write: (dry_run) =>
      proposed
        .filter(({ files }) => files.length > 0)
        .flatMap(({ id, files }) => (dry_run ? [`${id}/`] : writeFiles(into, id, files))),
  };
}

function withComparison(
  thing: AdoptedObject,
  comparison: PackageComparison | undefined,
): AdoptedObject {
  if (comparison === undefined || comparison.kind === 'nothing') return thing;
  const nothing = { merged: [], kept: [], changes: [] };
  if (comparison.kind === 'other') {
    return { ...thing, ...nothing, id: null, outcome: 'left', reason: comparison.reason };
  }
  const written = new Set(comparison.missing.map(({ path }) => `${thing.id}/${path}`));
  const kept = thing.kept.filter(({ path }) => written.has(path));
  return { ...thing, ...nothing, outcome: 'there', kept };
}

function ownedOf(folder: string): OwnedFiles {
  const { files, entries } = loadLock(folder);
  return { files: new Set(files.map(({ path }) => path)), entries };
}

function chooseAdapters({ from, harnesses, scope }: AdoptRequest): HarnessAdapter[] {
  if (harnesses !== undefined)
    return harnesses.map((id) => loadAdapter(id, scope, adapters, process.platform));
  return [...adapters.values()]
    .map(({ id }) => loadAdapter(id, scope, adapters, process.platform))
    .filter((adapter) => isInUse(adapter, from, scope));
}

/** Harness id of AGENTS.md, which every agent reads. */
const SHARED_HARNESS_ID = 'agents-md';

/** Lists the harnesses of adopted artifacts; `agents-md` only if there is no other. */
function harnessesOf(
  things: readonly AdoptedObject[],
  chosen: readonly HarnessAdapter[],
): string[] {
  const adopted = things.filter(({ id }) => id !== null);
  const used = chosen
    .map(({ id }) => id)
    .filter((id) =>
      adopted.some(({ copies }) => copies.some((copy) => copy.harnesses.includes(id))),
    );
  const own = used.filter((id) => id !== SHARED_HARNESS_ID);
  return own.length === 0 ? used : own;
}

function isInUse(adapter: HarnessAdapter, folder: string, scope: WorkspaceScope): boolean {
  if (adapter.id === SHARED_HARNESS_ID) return true;
  const places = scope === 'user' ? exclusiveDestinations(adapter) : adapter.detect;
  return places.some((place) => existsSync(`${folder}/${place}`));
}

/** Lists destinations of a harness that no other harness uses. */
function exclusiveDestinations({ destinations }: HarnessAdapter): string[] {
  return Object.values(destinations)
    .map(({ path }) => path.replace(/\/?[^/]*\{.*$/, ''))
    .filter((path) => path !== '' && !/^(?:\.catalog|\.agents|AGENTS\.md)/.test(path));
}
