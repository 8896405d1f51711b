import { dirname } from 'node:path';
import { installDebianPackages } from './debian-packages.ts';

export interface BubblewrapProgram {
  /** The folder that holds `bwrap`, for a PATH. */
  folder: string;
  /** For the program. */
  env: Record<string, string>;
}

/** What shuts materialization hooks in; unpacked the first time. */
export async function installBubblewrap(): Promise<BubblewrapProgram> {
  const { program, env } = await installDebianPackages('bubblewrap', ['bubblewrap']);
  return { folder: dirname(program('usr/bin/bwrap')), env };
}
