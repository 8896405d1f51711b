import { isAddress } from '@catalog/consumer/config/is-address';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config } from '@catalog/consumer/config/types';
import { connectRegistry } from '@catalog/consumer/discover/registry-client';
import { noRegistry } from '@catalog/consumer/source/no-registry';
import { shellWord } from '@catalog/core/text/shell-word';
import { openClient, type RegistryClient } from '@catalog/sdk/client';
import type { Connection } from '@catalog/sdk/connection';
import type { Session } from '../command/session.ts';
import { usageError } from '../command/usage-errors.ts';
import { shortPath } from '../output/places.ts';
import { toConfigFlags, toConfigInput } from './config-flags.ts';
import { signInOnFirstUse } from './identity/first-use.ts';

export function loadRegistryServer(
  session: Session,
  flags: { registry?: string | undefined },
): RegistryClient {
  return openClient(loadRegistryConnection(session, flags).connection);
}

export function loadRegistryConnection(
  session: Session,
  flags: { registry?: string | undefined },
): { connection: Connection; config: Config } {
  const config = loadConfig(toConfigInput(session, toConfigFlags(flags)));
  if (config.registry === undefined) throw noRegistry(config);
  const registry = config.registry.value;
  if (isAddress(registry)) {
    const signIn = signInOnFirstUse(config, session);
    return { connection: connectRegistry(registry, config, { signIn }), config };
  }
  const folder = shortPath(registry, session);
  throw usageError(
    `This command needs a registry server, but the registry is a folder: ${folder}.`,
    `Start a server with \`catalog serve --layer-path ${shellWord(folder)}\`, and pass its URL with --registry.`,
    { argument: '--registry' },
  );
}
