import { PARTIAL } from './fetch.ts';
import { listPacks, type GitProgram } from './git-program.ts';

/** Every fetch adds a pack, and git searches all of them. */
const MOST_PACKS = 50;

/** Loses no objects; a failed repack is retried after a later read. */
export async function tidyRepository(
  git: GitProgram,
  repository: string,
  signal: AbortSignal,
  most_packs = MOST_PACKS,
): Promise<void> {
  const packs = listPacks(repository).filter((name) => name.endsWith('.pack'));
  if (packs.length <= most_packs) return;
  const words = ['repack', '-a', '-d', '-q', '--no-write-bitmap-index'];
  await git.run(words, { repository, config: PARTIAL }, signal).catch(() => {});
}
