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
 * Returns the token that an agent runtime provides and renews. Checks the file before each request, and
 * reads it if it has changed; reads the environment variable each time.
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

/** Returns undefined for an empty file, which may be in the middle of a replacement. */
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
