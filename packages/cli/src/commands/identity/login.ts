import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config } from '@catalog/consumer/config/types';
import { findIssuer } from '@catalog/consumer/identity/find-issuer';
import type { SignedIn } from '@catalog/consumer/identity/sign-in';
import { openNodeTransport } from '@catalog/consumer/source/node-transport';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import type { loginDefinition } from './definition.ts';
import { signInWithDevice } from './device-sign-in.ts';
import { rolesOf } from './roles-of.ts';
import { serverOf } from './server-of.ts';
import { storeOf, toSignInSettings } from './sign-in-settings.ts';
import { describeExpiry } from './describe-expiry.ts';

export async function run(
  { flags }: CommandInput<typeof loginDefinition>,
  session: Session,
): Promise<CommandResult> {
  const { registry: named } = flags;
  const config = loadConfig(toConfigInput(session, toConfigFlags({ registry: named })));
  const server = serverOf(config, session);
  if (server.kind === 'folder') return noSignInNeeded(server.registry, server.sentence);
  const { registry } = server;
  const sentence = describeSuppliedToken(config);
  if (sentence !== undefined) return noSignInNeeded(registry, sentence);
  const transport = openNodeTransport(config.proxy);
  const settings = toSignInSettings(config, flags);
  const issuer = await findIssuer(registry, settings, transport, session.signal);
  if (issuer === undefined) {
    return noSignInNeeded(registry, `The registry at ${registry} needs no sign-in.`);
  }
  const store = storeOf(config, flags.store);
  const signedIn = await signInWithDevice(
    { registry, issuer, transport, store, browser: !flags['no-browser'] },
    config,
    session,
  );
  return {
    lines: resultLines(registry, signedIn, store),
    json: { registry, signed_in: true, store, ...signedIn },
  };
}

/** Describes a token from the environment, which takes precedence over a sign-in. */
function describeSuppliedToken({ identity }: Config): string | undefined {
  if (identity.token !== undefined) {
    return 'CATALOG_TOKEN is set and overrides a sign-in. To sign in, unset it.';
  }
  if (identity.provider.value !== 'injected-session-token') return undefined;
  return 'The runtime provides the token (injected-session-token), so no sign-in is needed.';
}

function noSignInNeeded(registry: string, sentence: string): CommandResult {
  return { lines: [sentence], json: { registry, signed_in: false, reason: sentence } };
}

function resultLines(registry: string, signedIn: SignedIn, store: string): Line[] {
  const { subject } = signedIn;
  const who = subject === undefined ? [] : [' as ', styled('bold', subject)];
  const roles = rolesOf(signedIn);
  const place = store === 'file' ? 'a file only you can read' : 'the keychain';
  return [
    [`Signed in to ${registry}`, ...who, roles.length === 0 ? '' : ` (${roles.join(', ')})`],
    `Token stored in ${place}, ${describeExpiry(signedIn)}`,
  ];
}
