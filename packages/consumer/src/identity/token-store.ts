import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { IdentitySettings } from '../config/types.ts';
import type { TokenStoreKind } from '../config/identity-settings.ts';
import { getValue, removeValue, setValue } from './chunked-value.ts';
import { getCredentialFile, putCredentialFile, removeCredentialFile } from './credential-files.ts';
import type { Entries } from './entries.ts';
import { isRecord, readStoredTokens, type StoredTokens } from './stored-tokens.ts';

export type TokenPlace = { kind: 'file' } | { kind: 'keychain'; name: string };

/** Finds the tokens of the signed-in user; undefined without a sign-in. */
export function findTokens({ folder }: IdentitySettings, origin: string): TokenPlace | undefined {
  const file = getCredentialFile(folder, origin);
  const { store, keychain_name: name } = file ?? {};
  if (store === 'keychain' && typeof name === 'string') return { kind: 'keychain', name };
  return store === 'file' ? { kind: 'file' } : undefined;
}

export async function getTokens(
  settings: IdentitySettings,
  origin: string,
  signal?: AbortSignal,
): Promise<StoredTokens | undefined> {
  const place = findTokens(settings, origin);
  if (place === undefined) return undefined;
  if (place.kind === 'file') return readStoredTokens(getCredentialFile(settings.folder, origin));
  return getFromKeychain(await open(place.name, signal), origin);
}

/** Stores tokens in one place and removes them from all others. */
export async function saveTokens(
  settings: IdentitySettings,
  origin: string,
  tokens: StoredTokens,
  kind: TokenStoreKind,
  signal?: AbortSignal,
): Promise<void> {
  const before = findTokens(settings, origin);
  const { folder, keychain_name } = settings;
  if (kind === 'file') {
    putCredentialFile(folder, origin, { store: 'file', ...tokens });
  } else {
    const place = { store: 'keychain', keychain_name: keychain_name.value };
    await saveInKeychain(await open(keychain_name.value, signal), origin, tokens);
    putCredentialFile(folder, origin, place);
  }
  const hasMoved = kind === 'file' || keychain_name.value !== nameOf(before);
  if (before?.kind === 'keychain' && hasMoved) {
    await removeFromKeychain(await open(before.name, signal), origin);
  }
}

export async function replaceTokens(
  settings: IdentitySettings,
  origin: string,
  tokens: StoredTokens,
  place: TokenPlace,
  signal?: AbortSignal,
): Promise<void> {
  if (place.kind === 'file') {
    putCredentialFile(settings.folder, origin, { store: 'file', ...tokens });
  } else {
    await saveInKeychain(await open(place.name, signal), origin, tokens);
  }
}

/** The keychain entries are removed first, because the file refers to them. */
export async function removeTokens(
  settings: IdentitySettings,
  origin: string,
  signal?: AbortSignal,
): Promise<void> {
  const place = findTokens(settings, origin);
  if (place?.kind === 'keychain') {
    await removeFromKeychain(await open(place.name, signal), origin);
  }
  removeCredentialFile(settings.folder, origin);
}

function nameOf(place: TokenPlace | undefined): string | undefined {
  return place?.kind === 'keychain' ? place.name : undefined;
}

async function open(name: string, signal?: AbortSignal): Promise<Entries> {
  const { openKeychain } = await import('./keychain.ts');
  return openKeychain(name, signal);
}

function sessionLabel(origin: string): string {
  return `${origin}#session`;
}

/**
 * Stores a token in the keychain (KEY-05), and its details in a second entry with the hash of the token. The details
 * are written first, so that a renewal works after a crash.
 */
export async function saveInKeychain(
  entries: Entries,
  origin: string,
  { access_token, ...session }: StoredTokens,
): Promise<void> {
  const record = { ...session, token_hash: bytesHash(access_token) };
  await setValue(entries, sessionLabel(origin), Buffer.from(JSON.stringify(record)));
  await setValue(entries, origin, Buffer.from(access_token));
}

/** Reads a token from the keychain. If the details belong to another token, it counts as expired. */
export async function getFromKeychain(
  entries: Entries,
  origin: string,
): Promise<StoredTokens | undefined> {
  const session = await getValue(entries, sessionLabel(origin));
  const token = await getValue(entries, origin);
  if (session === undefined || token === undefined) return undefined;
  const access_token = Buffer.from(token).toString();
  const record = parse(session);
  const tokens = readStoredTokens({ ...record, access_token });
  if (tokens === undefined || record?.['token_hash'] === bytesHash(access_token)) return tokens;
  return { ...tokens, expires_at: 0 };
}

export async function removeFromKeychain(entries: Entries, origin: string): Promise<void> {
  await removeValue(entries, origin);
  await removeValue(entries, sessionLabel(origin));
}

function parse(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
