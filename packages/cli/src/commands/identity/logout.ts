import { loadConfig } from '@catalog/consumer/config/load-config';
import { signOut, type SignedOut } from '@catalog/consumer/identity/sign-out';
import { openNodeTransport } from '@catalog/consumer/source/node-transport';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import type { logoutDefinition } from './definition.ts';
import { serverOf } from './server-of.ts';

export async function run(
  { flags }: CommandInput<typeof logoutDefinition>,
  session: Session,
): Promise<CommandResult> {
  const config = loadConfig(toConfigInput(session, toConfigFlags(flags)));
  const server = serverOf(config, session);
  if (server.kind === 'folder') {
    return { lines: [server.sentence], json: { registry: server.registry, was_signed_in: false } };
  }
  const { registry } = server;
  const transport = openNodeTransport(config.proxy);
  const signedOut = await signOut(registry, config, transport, session.signal);
  const lines = [describe(registry, signedOut)];
  if (config.identity.token !== undefined)
    lines.push('CATALOG_TOKEN is still set and will be sent.');
  return { lines, json: { registry, ...signedOut, revoked: signedOut.revoked ?? null } };
}

function describe(registry: string, { was_signed_in, revoked }: SignedOut): string {
  if (!was_signed_in) return `Not signed in to ${registry}`;
  if (revoked === true) return `Signed out of ${registry} and revoked the token`;
  const rest =
    revoked === false
      ? 'the identity provider is unavailable, so the token stays valid until it expires'
      : 'the identity provider cannot revoke tokens, so the token stays valid until it expires';
  return `Signed out of ${registry}; ${rest}`;
}
