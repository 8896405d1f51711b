import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Config } from '../config/types.ts';
import { approve, type Approved } from './approved.ts';
import { hashNamedFiles } from './named-files.ts';
import { requireTrust, type TrustOptions } from './require-trust.ts';
import { recordTrust } from './trust-file.ts';

/** A program to start, as a file of a harness names it. */
export interface Launch {
  command: string;
  args: string[];
  /** Added to the environment of this process. */
  env: Record<string, string>;
}

export type ApprovedLaunch = Approved<Launch>;

/**
 * Approves the start of a program that a file of the workspace names. The file may have come with a
 * clone, so only the entry `catalog mcp config` writes, or wrote for this user, starts without a
 * question.
 */
export async function approveLaunch(
  launch: Launch,
  place: { path: string; own: Launch },
  config: Pick<Config, 'trust_file' | 'workspace' | 'home'>,
  options: TrustOptions,
): Promise<ApprovedLaunch> {
  if (canonical(launch) !== canonical(place.own)) {
    const words = [launch.command, ...launch.args];
    const line = { words, base: config.workspace, counts: 'files' as const };
    const scripts = hashNamedFiles([line], config);
    const entry = entryOf(place.path, launch);
    await requireTrust(config, entry, [commandLine(launch)], options, scripts);
  }
  return approve(launch);
}

/** Records an entry that the user's own command wrote as trusted. */
export function trustLaunch(launch: Launch, path: string, trust_file: string): void {
  recordTrust(trust_file, [entryOf(path, launch)]);
}

function entryOf(path: string, launch: Launch): { path: string; hash: string } {
  return { path: `${path}#catalog`, hash: bytesHash(canonical(launch)) };
}

/** Approves what the user's own file, or this command itself, starts. */
export function startedByUser(launch: Launch): ApprovedLaunch {
  return approve(launch);
}

function canonical({ command, args, env }: Launch): string {
  const names = Object.keys(env).toSorted();
  return JSON.stringify([command, args, names.map((name) => [name, env[name]])]);
}

/** The command with its arguments, and the names of the variables it gets. */
function commandLine({ command, args, env }: Launch): string {
  const names = Object.keys(env).toSorted();
  const variables = names.length === 0 ? '' : `, with ${names.join(', ')} set`;
  return `run ${[command, ...args].join(' ')}${variables}`;
}
