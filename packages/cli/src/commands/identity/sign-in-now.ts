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

/** The device flow, where the registry asks who people are; otherwise nothing happens. */
export async function signInNow(registry: string, config: Config, session: Session): Promise<void> {
  const transport = openNodeTransport(config.proxy);
  const issuer = await find(registry, config, transport, session);
  if (issuer === undefined || !(await isWanted(registry, issuer, config, session))) return;
  const { subject } = await signInWithDevice(
    { registry, issuer, transport, store: storeOf(config, undefined), browser: true },
    config,
    session,
  );
  session.note(`Signed in${subject === undefined ? '' : ` as ${subject}`}`);
}

/** A registry that cannot be asked now is the request's own to report. */
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
 * A registry that only a file of the workspace names may have come with a clone. Whoever runs it would
 * get a token of whoever signs in, so that the person is asked (T51).
 */
async function isWanted(
  registry: string,
  { server }: Issuer,
  { registry: named }: Config,
  session: Session,
): Promise<boolean> {
  if (named === undefined || !named.origin.kind.startsWith('workspace')) return true;
  const file = shortPath(named.origin.name, session);
  const message = `${file} names the registry ${registry}, which requires a sign-in at ${new URL(server.issuer).host}. Sign in?`;
  // The prompt writes by itself, past the one place that escapes what registries and files say.
  return (await confirm({ message: escapeControls(message) })) === true;
}
