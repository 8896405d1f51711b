import { PARTIAL } from './fetch.ts';
import { listPacks, type GitProgram } from './git-program.ts';

/** Number of packs at which a repository is repacked. Every fetch adds a pack, and git searches all of them. */
const MAX_PACKS = 50;

/** Combines the packs of a repository without removing objects. If it fails, a later read tries again. */
export async function repackRepository(
  git: GitProgram,
  repository: string,
  signal: AbortSignal,
  max_packs = MAX_PACKS,
): Promise<void> {
  const packs = listPacks(repository).filter((name) => name.endsWith('.pack'));
  if (packs.length <= max_packs) return;
  const words = ['repack', '-a', '-d', '-q', '--no-write-bitmap-index'];
  await git.run(words, { repository, config: PARTIAL }, signal).catch(() => {});
}
