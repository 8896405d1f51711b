import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config } from '@catalog/consumer/config/types';
import { requiresSignIn } from '@catalog/consumer/identity/find-issuer';
import { getSignInState, type SignInState } from '@catalog/consumer/identity/sign-in-state';
import { openTokenSource } from '@catalog/consumer/identity/token-source';
import { fetchIdentity, type CallerIdentity } from '@catalog/consumer/identity/who-am-i';
import { openNodeTransport } from '@catalog/consumer/source/node-transport';
import type { Transport } from '@catalog/sdk/transport';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import type { whoamiDefinition } from './definition.ts';
import { rolesOf } from './roles-of.ts';
import { serverOf } from './server-of.ts';
import { describeExpiry } from './describe-expiry.ts';

const SIGNED_OUT = 4;

export async function run(
  { flags }: CommandInput<typeof whoamiDefinition>,
  session: Session,
): Promise<CommandResult> {
  const config = loadConfig(toConfigInput(session, toConfigFlags(flags)));
  const server = serverOf(config, session);
  if (server.kind === 'folder') {
    return { lines: [server.sentence], json: { registry: server.registry, signed_in: false } };
  }
  const { registry } = server;
  // An expired token is renewed before its state is reported.
  const token = await openTokenSource(config).token(session.signal);
  const transport = openNodeTransport(config.proxy);
  if (token === undefined) return signedOutResult(registry, config, transport, session);
  const state = await getSignInState(config, session.signal);
  if (state.kind !== 'signed-in') return signedOut(registry);
  const who = await fetchIdentity(registry, token, transport, session.signal);
  const { source, expires_at, renewable } = state;
  return {
    lines: identityLines(registry, who, state),
    json: { registry, signed_in: true, ...who, source, expires_at, renewable },
  };
}

/**
 * Reports that no user is signed in. A registry without authentication needs no sign-in, but a missing token is
 * reported.
 */
async function signedOutResult(
  registry: string,
  { identity }: Config,
  transport: Transport,
  { signal }: Session,
): Promise<CommandResult> {
  if (identity.provider.value === 'injected-session-token') {
    const name = identity.session_token_env.value;
    return signedOut(registry, `the runtime sets CATALOG_SESSION_TOKEN_FILE or ${name}.`);
  }
  const isNamed = identity.authorization_endpoint !== undefined;
  if (isNamed || (await requiresSignIn(registry, transport, signal))) return signedOut(registry);
  return {
    lines: [`The registry at ${registry} needs no sign-in.`],
    json: { registry, signed_in: false },
  };
}

function signedOut(
  registry: string,
  next = `run \`catalog login --registry ${registry}\`.`,
): CommandResult {
  return {
    lines: [`Not signed in to ${registry}`, `Next: ${next}`],
    json: { registry, signed_in: false },
    exit: SIGNED_OUT,
  };
}

function identityLines(
  registry: string,
  { subject, email, ...roles }: CallerIdentity,
  state: SignInState & { kind: 'signed-in' },
): Line[] {
  return alignColumns([
    ['subject', [styled('bold', subject ?? '(unknown to the registry)')]],
    ...(email === undefined ? [] : [['e-mail', email]]),
    ['role', rolesOf(roles).join(', ') || 'member'],
    ['registry', registry],
    ['token', `from ${state.source}, ${describeExpiry(state)}`],
  ]);
}
