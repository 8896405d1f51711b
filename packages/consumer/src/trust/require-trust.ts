import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { escapeControls } from '@catalog/core/text/escape-controls';
import type { Config, ConfigFile } from '../config/types.ts';
import { readTrustFile, recordTrust } from './trust-file.ts';

/** What somebody is asked to trust. */
export interface TrustRequest {
  /** The configuration file. Absolute. */
  file: string;
  /** What it asks for: command lines, packages whose code is loaded, folders outside the workspace. */
  wants: readonly string[];
  /** It was trusted once, and has changed since. */
  changed: boolean;
}

/** How trust is given. */
export interface TrustOptions {
  /** `--trust`: whoever runs this has read the files and trusts them. */
  trust?: boolean;
  /** Asks the person; absent where nobody sits in front of a terminal. */
  confirmTrust?: ((request: TrustRequest) => Promise<boolean>) | undefined;
}

/**
 * Lets a configuration file run code only if somebody trusted exactly what it says (decision 47): it
 * may have come with a clone. What is trusted is the text this run has read, not what stands there by
 * now; one changed byte, and the file is a stranger again.
 */
export async function requireTrust(
  { trust_file }: Pick<Config, 'trust_file'>,
  { path, hash }: Pick<ConfigFile, 'path' | 'hash'>,
  wants: readonly string[],
  { trust, confirmTrust }: TrustOptions,
): Promise<void> {
  const known = readTrustFile(trust_file).get(path);
  if (known === hash) return;
  const request = { file: path, wants, changed: known !== undefined };
  if (trust === true || (await confirmTrust?.(request)) === true) {
    try {
      recordTrust(trust_file, path, hash);
    } catch (cause) {
      throw unrecorded(trust_file, path, cause);
    }
    return;
  }
  throw untrusted(request);
}

function untrusted({ file, wants, changed }: TrustRequest): CatalogError {
  const state = changed ? 'has changed since you trusted it' : 'is not trusted yet';
  // One line each: a line break in a command must not pass for another command, or for a line of ours.
  const lines = wants.map((want) => `  ${escapeControls(want)}`);
  return new CatalogError(
    'config.untrusted',
    `${escapeControls(file)} ${state}, and it asks for:\n${lines.join('\n')}`,
    { details: { file, wants: [...wants], changed } },
  );
}

function unrecorded(trust_file: string, path: string, cause: unknown): CatalogError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CatalogError(
    'config.invalid',
    `${trust_file} cannot be written, so that the trust in ${path} is not recorded: ${why}.`,
    {
      details: { file: trust_file },
      suggested_action:
        'Make it a file you may write, or set HOME to a folder of your own, and run again.',
      cause,
    },
  );
}
