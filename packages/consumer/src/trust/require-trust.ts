import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { Config, ConfigFile } from '../config/types.ts';
import { approve, type Approved } from './approved.ts';
import type { NamedFile } from './named-files.ts';
import { readTrustFile, recordTrust, type TrustedFiles } from './trust-file.ts';

export interface TrustRequest {
  file: string;
  /** Requested permissions: commands, code to load, and folders outside the workspace. */
  wants: readonly string[];
  changed: boolean;
}

export interface TrustOptions {
  /** True if the user has read the files and trusts them. */
  trust?: boolean;
  confirmTrust?: ((request: TrustRequest) => Promise<boolean>) | undefined;
}

/**
 * Requires that the user trusts the exact content of a file that runs code (SPEC-47), because it may come from a clone.
 * Trust covers the content that this run has read, including the scripts of its commands. After any change, the user
 * must confirm again.
 */
export async function requireTrust(
  { trust_file }: Pick<Config, 'trust_file'>,
  { path, hash }: Pick<ConfigFile, 'path' | 'hash'>,
  wants: readonly string[],
  { trust, confirmTrust }: TrustOptions,
  scripts: readonly NamedFile[] = [],
): Promise<void> {
  const trusted = readTrustFile(trust_file);
  const files = [{ path, hash }, ...scripts];
  if (files.every((file) => trusted.get(file.path) === file.hash)) return;
  const changed = files.some((file) => (trusted.get(file.path) ?? file.hash) !== file.hash);
  const request = {
    file: path,
    wants: [...wants, ...scripts.map((script) => describeScript(script, trusted))],
    changed,
  };
  if (trust === true || (await confirmTrust?.(request)) === true) {
    try {
      recordTrust(trust_file, files);
    } catch (cause) {
      throw unrecorded(trust_file, path, cause);
    }
    return;
  }
  throw untrusted(request, trusted.get(path) === hash);
}

/** Returns true if the current content is trusted; `--trust` records it. */
export async function areTrusted(
  files: readonly Pick<ConfigFile, 'path' | 'hash'>[],
  config: Pick<Config, 'trust_file'>,
  { trust }: Pick<TrustOptions, 'trust'>,
): Promise<boolean> {
  if (trust === true) {
    for (const file of files) await requireTrust(config, file, [], { trust });
  }
  const trusted = readTrustFile(config.trust_file);
  return files.every(({ path, hash }) => trusted.get(path) === hash);
}

/** Approves an effect by trust in a file and its scripts. */
export async function approveByFile<Effect>(
  effect: Effect,
  config: Pick<Config, 'trust_file'>,
  file: Pick<ConfigFile, 'path' | 'hash'>,
  wants: readonly string[],
  options: TrustOptions,
  scripts: readonly NamedFile[] = [],
): Promise<Approved<Effect>> {
  if (wants.length > 0) await requireTrust(config, file, wants, options, scripts);
  return approve(effect);
}

function describeScript({ path, hash }: NamedFile, trusted: TrustedFiles): string {
  const known = trusted.get(path);
  if (known === hash) return `with the script ${path}`;
  return `with the script ${path} (${known === undefined ? 'new' : 'changed'})`;
}

function untrusted({ file, wants, changed }: TrustRequest, isFileTrusted: boolean): CatalogError {
  const verb = isFileTrusted ? 'runs a script that has changed' : 'has changed';
  const state = changed ? `${verb} since you trusted it` : 'is not trusted yet';
  // A line break in a command must not look like another command.
  const lines = wants.map((want) => `  ${escapeControls(want)}`);
  return new CatalogError(
    'config.untrusted',
    `${escapeControls(file)} ${state}, and it requests:\n${lines.join('\n')}`,
    { details: { file, wants: [...wants], changed } },
  );
}

function unrecorded(trust_file: string, path: string, cause: unknown): CatalogError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CatalogError(
    'config.invalid',
    `${trust_file} cannot be written, so the trust in ${path} is not recorded: ${why}.`,
    {
      details: { file: trust_file },
      suggested_action: 'Make the file writable, or set HOME to a folder of yours, and run again.',
      cause,
    },
  );
}
