import { CatalogError } from '@catalog/contract/errors/catalog-error';
import {
  getLinkedFingerprint,
  sameFingerprint,
  type Fingerprint,
} from '@catalog/core/node/fingerprint';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import type { TokenSource } from '@catalog/sdk/connection';
import type { IdentitySettings } from '../config/types.ts';

/**
 * Returns a source of the token that an agent runtime provides. A token file is read again when it changes, an
 * environment variable every time.
 */
export function sessionTokens(settings: IdentitySettings): TokenSource {
  const { session_token_file: file, session_token_env, readVariable } = settings;
  let seen: Fingerprint | undefined;
  let token: string | undefined;

  function readFile(path: string): string | undefined {
    const found = getLinkedFingerprint(path);
    if (found === undefined) throw unreadable(path);
    if (token === undefined || !sameFingerprint(found, seen)) {
      token = readToken(path);
      seen = found;
    }
    return token;
  }

  function read(): string | undefined {
    return file === undefined
      ? readVariable(session_token_env.value)?.trim()
      : readFile(file.value);
  }

  return {
    token: () => Promise.resolve().then(read),
    refused: () => {
      seen = undefined;
      return Promise.resolve().then(read);
    },
    advice: `The runtime provides the token: in the file set in CATALOG_SESSION_TOKEN_FILE, or in ${session_token_env.value}.`,
  };
}

/** Reads a token; undefined for an empty file, which is probably being replaced. */
function readToken(path: string): string | undefined {
  try {
    const text = readRegularFile(path, MAX_TEXT_BYTES).toString('utf8').trim();
    return text === '' ? undefined : text;
  } catch {
    throw unreadable(path);
  }
}

function unreadable(path: string): CatalogError {
  return new CatalogError('config.invalid', `Cannot read CATALOG_SESSION_TOKEN_FILE (${path}).`, {
    details: { path },
    suggested_action: 'Set it to a file that the runtime has written, or unset it.',
  });
}
