import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { certificateBundle } from '../../egress/certificate-bundle.ts';
import { findGit, type GitProgram } from './git-program.ts';
import type { GitOptions } from './git-options.ts';

export type PreparedHost =
  | { kind: 'ready'; git: GitProgram; options: GitOptions }
  | { kind: 'lacking'; what: string };

/** First version that can pin an address (`http.curloptResolve`). */
const OLDEST = [2, 37] as const;

export async function prepareHost(options: GitOptions, signal: AbortSignal): Promise<PreparedHost> {
  const git = findGit(options.search_path);
  if (git === undefined)
    return { kind: 'lacking', what: 'git is not installed on the registry host' };
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const { stdout } = await git.run(['version'], { repository: options.folder }, signal);
  const [major = 0, minor = 0] = (/\d+\.\d+/.exec(stdout)?.[0] ?? '').split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return { kind: 'lacking', what: `git ${major}.${minor} on the registry host is too old` };
  }
  const { ca_file } = options.egress;
  if (ca_file === undefined) return { kind: 'ready', git, options };
  // Git accepts only one file of certificate authorities.
  const bundle = join(options.folder, 'authorities.pem');
  await writeFile(bundle, certificateBundle(ca_file));
  return {
    kind: 'ready',
    git,
    options: { ...options, egress: { ...options.egress, ca_file: bundle } },
  };
}
