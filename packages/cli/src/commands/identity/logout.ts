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
  if (config.identity.token !== undefined) lines.push('CATALOG_TOKEN is still set, and is sent.');
  return { lines, json: { registry, ...signedOut, revoked: signedOut.revoked ?? null } };
}

function describe(registry: string, { was_signed_in, revoked }: SignedOut): string {
  if (!was_signed_in) return `nobody was signed in to ${registry}`;
  if (revoked === true) return `signed out of ${registry}; the token is revoked`;
  const rest =
    revoked === false
      ? 'the identity provider did not answer, so that the token stays good until it ends'
      : 'the identity provider revokes no tokens, so that it stays good until it ends';
  return `signed out of ${registry}; ${rest}`;
}
