import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Config } from '../config/types.ts';
import { approve, type Approved } from './approved.ts';
import { hashNamedFiles } from './named-files.ts';
import { requireTrust, type TrustOptions } from './require-trust.ts';
import { recordTrust } from './trust-file.ts';

export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export type ApprovedLaunch = Approved<Launch>;

/**
 * Approves a program of a workspace file, which may come from a clone. Only the entry of `catalog mcp config` needs no
 * prompt.
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

export function trustLaunch(launch: Launch, path: string, trust_file: string): void {
  recordTrust(trust_file, [entryOf(path, launch)]);
}

function entryOf(path: string, launch: Launch): { path: string; hash: string } {
  return { path: `${path}#catalog`, hash: bytesHash(canonical(launch)) };
}

/** Approves a program that the user's own file or this command names. */
export function startedByUser(launch: Launch): ApprovedLaunch {
  return approve(launch);
}

function canonical({ command, args, env }: Launch): string {
  const names = Object.keys(env).toSorted();
  return JSON.stringify([command, args, names.map((name) => [name, env[name]])]);
}

/** Returns a command with the names of its environment variables, without values. */
function commandLine({ command, args, env }: Launch): string {
  const names = Object.keys(env).toSorted();
  const variables = names.length === 0 ? '' : `, with ${names.join(', ')} set`;
  return `run ${[command, ...args].join(' ')}${variables}`;
}
