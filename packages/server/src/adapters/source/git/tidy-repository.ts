import { PARTIAL } from './fetch.ts';
import { listPacks, type GitProgram } from './git-program.ts';

/** Every fetch leaves a pack, and git looks into each for everything it seeks. */
const MOST_PACKS = 50;

/** Makes one pack of many, now and then. Nothing is thrown away; a failure is left for the next time. */
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
