import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import type { LayerRecord } from '@catalog/core/ports/layers';
import { fetchProblem } from './fetch-problem.ts';
import { packedBytes, type GitConfig, type GitOutcome, type GitProgram } from './git-program.ts';
import type { RefMeaning } from './ref-name.ts';
import type { Remote } from './remote.ts';
import { unreachable } from '../unreachable.ts';

export interface Repository {
  git: GitProgram;
  layer: LayerRecord;
  folder: string;
  remote: Remote;
  /** True if the repository has content of an earlier fetch. */
  is_kept: boolean;
  most_bytes: number;
}

/** Commits without folders and files are enough to check ancestry. */
const COMMITS_ONLY = 'tree:0';
/** Git filter that omits files above the size limit: they are rejected anyway. */
const WITHOUT_LARGE_FILES = `blob:limit=${MAX_FILE_BYTES + 1}`;
/** Git filter for a layer that is only a part of its repository: most files are not needed. */
const WITHOUT_FILES = 'blob:none';

/** Returns the git filter for a layer. Files that the filter omits are fetched later by id. */
export function filterFor({ root }: LayerRecord): string {
  return root === '' ? WITHOUT_LARGE_FILES : WITHOUT_FILES;
}

export async function initRepository(
  git: GitProgram,
  folder: string,
  layer: Pick<LayerRecord, 'id'>,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const words = ['init', '--quiet', '--bare', '--template=', '--object-format=sha1', folder];
  const { status, stderr } = await git.run(words, { repository: folder }, signal);
  if (status === 0) return;
  throw unreachable(
    layer,
    'the registry could not create space for its repository',
    'Check the free space and the permissions on the registry host, then ingest again.',
    new Error(stderr),
  );
}

/**
 * Fetches a ref and returns the id of its commit or annotated tag. With `known`, a commit that is complete locally, git
 * fetches the difference; without it, only the history.
 */
export async function fetchRef(
  repository: Repository,
  meaning: RefMeaning,
  known: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const isFirst = known === undefined;
  const filter = isFirst ? COMMITS_ONLY : filterFor(repository.layer);
  const names = meaning.kind === 'commit' ? [meaning.commit] : meaning.names;
  let missing: GitOutcome | undefined;
  for (const name of names) {
    const outcome = await fetch(
      repository,
      [`--filter=${filter}`, ...(isFirst ? [] : [`--negotiation-tip=${known}`])],
      ['--end-of-options', 'origin', name],
      '',
      signal,
    );
    if (outcome.status === 0) return readFetchHead(repository.folder);
    if (!isMissingRef(outcome)) {
      throw fetchProblem(repository.layer, outcome, repository.is_kept);
    }
    missing = outcome;
  }
  throw unreachable(
    repository.layer,
    `its repository has no ${repository.layer.ref === '' ? 'default branch' : `ref ${repository.layer.ref}`}`,
    'Set `ref` to an existing branch, tag, or commit.',
    new Error(missing?.stderr),
  );
}

export async function fetchObjects(
  repository: Repository,
  objects: readonly string[],
  max_bytes: number,
  signal: AbortSignal,
): Promise<GitOutcome> {
  return fetch(
    { ...repository, most_bytes: packedBytes(repository.folder) + max_bytes },
    [`--filter=${filterFor(repository.layer)}`, '--no-write-fetch-head'],
    ['--stdin', '--end-of-options', 'origin'],
    `${objects.join('\n')}\n`,
    signal,
  );
}

export const PARTIAL: readonly GitConfig[] = [
  ['remote.origin.promisor', 'true'],
  ['remote.origin.partialCloneFilter', WITHOUT_FILES],
];

/**
 * Runs a fetch. The repository is marked as partial only during the fetch: git would otherwise fetch missing objects
 * one at a time while reading.
 */
function fetch(
  { git, folder, remote, most_bytes: max_bytes }: Repository,
  options: readonly string[],
  wanted: readonly string[],
  input: string,
  signal: AbortSignal,
): Promise<GitOutcome> {
  const haves = options.some((option) => option.startsWith('--negotiation-tip='));
  return git.run(
    [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-auto-maintenance',
      '--no-recurse-submodules',
      '--update-shallow',
      ...options,
      ...wanted,
    ],
    {
      ...remote,
      repository: folder,
      config: [
        ...remote.config,
        ...PARTIAL,
        // Git must not tell the host that it has commits whose files were never fetched.
        ['fetch.negotiationAlgorithm', haves ? 'consecutive' : 'noop'],
        // Commits are read only for their parents. Old commits have many format errors, which a partial fetch cannot
        // skip before git 2.45.
        ...(options.includes(`--filter=${COMMITS_ONLY}`) ? UNCHECKED : []),
      ],
      input,
      most_bytes: max_bytes,
    },
    signal,
  );
}

const UNCHECKED: readonly GitConfig[] = [
  ['transfer.fsckObjects', 'false'],
  ['fetch.fsckObjects', 'false'],
];

/** Checks the objects that arrived with a history: hosts without filter support send all of them. */
export async function checkObjects(repository: Repository, signal: AbortSignal): Promise<void> {
  const { git, folder, layer, is_kept } = repository;
  const words = ['fsck', '--no-dangling', '--no-progress'];
  const outcome = await git.run(words, { repository: folder, config: PARTIAL }, signal);
  if (outcome.status === 0) return;
  throw fetchProblem(layer, { ...outcome, stderr: `fsck: ${outcome.stderr}` }, is_kept);
}

function readFetchHead(folder: string): string {
  return readFileSync(`${folder}/FETCH_HEAD`, 'latin1').slice(0, 40);
}

function isMissingRef({ stderr }: GitOutcome): boolean {
  return /couldn't find remote ref|not our ref|unadvertised object/.test(stderr);
}
