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
 * A runtime that runs agents for people hands each of them a session token, and a new one before the
 * old one ends. A file is looked at before every request and read when it has changed; a variable is
 * read every time.
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

/** A file that is being replaced may be empty for a moment: nobody's token is empty. */
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
