import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type * as keyring from '@napi-rs/keyring';
import type { Entries } from './entries.ts';

/**
 * Opens the keychain of the operating system. On Linux this is the Secret Service, because the kernel keyring is
 * emptied at the end of a session. Only this module loads the library, which may not be installed.
 */
export async function openKeychain(name: string, signal?: AbortSignal): Promise<Entries> {
  const { AsyncEntry } = await loadKeyring();
  function entryOf(label: string): InstanceType<typeof AsyncEntry> {
    return new AsyncEntry(name, label, { linux: { store: 'secret-service' } });
  }
  /** Runs an operation of the keychain. Without a keychain, creating or using an entry fails. */
  async function attempt<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (cause) {
      signal?.throwIfAborted();
      throw noKeychain(cause);
    }
  }
  return {
    get: (label) =>
      attempt(async () => {
        const secret = await entryOf(label).getSecret(signal);
        return secret === null || secret === undefined ? undefined : Uint8Array.from(secret);
      }),
    set: (label, value) => attempt(() => entryOf(label).setSecret(value, signal)),
    remove: (label) =>
      attempt(async () => {
        await entryOf(label).deleteCredential(signal);
      }),
  };
}

async function loadKeyring(): Promise<Pick<typeof keyring, 'AsyncEntry'>> {
  try {
    return await import('@napi-rs/keyring');
  } catch (cause) {
    throw noKeychain(cause);
  }
}

function noKeychain(cause: unknown): CatalogError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CatalogError(
    'config.invalid',
    `The keychain of this machine is unavailable: ${reason.replace(/\.$/, '')}.`,
    {
      suggested_action:
        'Unlock or start it (on Linux, the Secret Service of the desktop). On a machine without one, `catalog login --store file` stores the token in a file that only you can read. For a workload, set CATALOG_TOKEN.',
      cause,
    },
  );
}
