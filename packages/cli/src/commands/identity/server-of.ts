import { isAddress } from '@catalog/consumer/config/is-address';
import type { Config } from '@catalog/consumer/config/types';
import { noRegistry } from '@catalog/consumer/source/no-registry';
import type { Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';

/** Registry of a configuration, or why it does not support a sign-in. */
export type Server =
  | { kind: 'server'; registry: string }
  | { kind: 'folder'; registry: string; sentence: string };

export function serverOf(config: Config, session: Session): Server {
  if (config.registry === undefined) throw noRegistry(config);
  const registry = config.registry.value;
  if (isAddress(registry)) return { kind: 'server', registry: registry.replace(/\/+$/, '') };
  const folder = shortPath(registry, session);
  const sentence = `The registry is the folder ${folder}, which needs no sign-in.`;
  return { kind: 'folder', registry, sentence };
}
