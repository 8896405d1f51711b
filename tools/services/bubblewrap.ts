import { dirname } from 'node:path';
import { installDebianPackages } from './debian-packages.ts';

export interface BubblewrapProgram {
  folder: string;
  env: Record<string, string>;
}

/** The sandbox runs materialization hooks. */
export async function installBubblewrap(): Promise<BubblewrapProgram> {
  const { program, env } = await installDebianPackages('bubblewrap', ['bubblewrap']);
  return { folder: dirname(program('usr/bin/bwrap')), env };
}
