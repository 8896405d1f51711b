import type { Log } from '../../observe/log.ts';
import type { Registry } from '../registry.ts';
import { addKeys, publishKeys } from './publish-keys.ts';
import { loadPublishedKeys } from './published-keys.ts';

/**
 * Announces signing of a new registry, and publishes keys that were added to `sign_key_path`. A registry
 * with content announces signing only after `catalog admin sign --all`.
 */
export async function publishAtStart(
  registry: Registry,
  isNew: boolean,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const { signer, store } = registry;
  if (signer === undefined) return;
  const set = await loadPublishedKeys(store);
  if (set?.signing !== 'active' && !isNew) {
    log.warn('signing new versions without announcing it: run `catalog admin sign --all`');
    return;
  }
  await publishKeys(registry, signer, (current, now) => addKeys(current, signer.keys, now));
}

/** Renew when less than this remains, in milliseconds. */
const RENEW_BEFORE_MS = 45 * 86_400_000;

/** Publishes the same keys again before the set expires. A set with a root key is renewed offline. */
export async function renewKeys(registry: Registry): Promise<void> {
  const { signer } = registry;
  if (signer === undefined) return;
  await publishKeys(registry, signer, (current, now) => {
    if (current?.signing !== 'active' || current.root_key !== null) return undefined;
    if (Date.parse(current.expires_at) - now.getTime() > RENEW_BEFORE_MS) return undefined;
    return { keys: current.keys, root_key: null, signing: 'active' };
  });
}
