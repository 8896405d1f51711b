import { confirm } from '@clack/prompts';
import type { Config } from '@catalog/consumer/config/types';
import { findIssuer, type Issuer } from '@catalog/consumer/identity/find-issuer';
import { openNodeTransport } from '@catalog/consumer/source/node-transport';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Transport } from '@catalog/sdk/transport';
import type { Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { signInWithDevice } from './device-sign-in.ts';
import { storeOf, toSignInSettings } from './sign-in-settings.ts';

/** Signs in, unless the registry does not authenticate users. */
export async function signInNow(registry: string, config: Config, session: Session): Promise<void> {
  const transport = openNodeTransport(config.proxy);
  const issuer = await find(registry, config, transport, session);
  if (issuer === undefined || !(await confirmRegistry(registry, issuer, config, session))) return;
  const { subject } = await signInWithDevice(
    { registry, issuer, transport, store: storeOf(config, undefined), browser: true },
    config,
    session,
  );
  session.note(`Signed in${subject === undefined ? '' : ` as ${subject}`}`);
}

/** If the registry is unavailable, the later request reports that. */
async function find(
  registry: string,
  config: Config,
  transport: Transport,
  session: Session,
): Promise<Issuer | undefined> {
  try {
    return await findIssuer(registry, toSignInSettings(config, {}), transport, session.signal);
  } catch (error) {
    const isAway = error instanceof CatalogError && error.code === 'network.registry_unreachable';
    if (isAway) return undefined;
    throw error;
  }
}

/**
 * Asks the user to confirm a registry that only a file of the workspace names: the file may come from a clone, and the
 * registry would receive a token (T51).
 */
async function confirmRegistry(
  registry: string,
  { server }: Issuer,
  { registry: named }: Config,
  session: Session,
): Promise<boolean> {
  if (named === undefined || !named.origin.kind.startsWith('workspace')) return true;
  const file = shortPath(named.origin.name, session);
  const message = `${file} names the registry ${registry}, which requires a sign-in at ${new URL(server.issuer).host}. Sign in?`;
  // The prompt writes directly, so values of registries and files must be escaped here.
  return (await confirm({ message: escapeControls(message) })) === true;
}
