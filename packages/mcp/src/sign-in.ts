import type {
  BackgroundSignIn,
  PendingSignIn,
} from '@catalog/consumer/identity/background-sign-in';
import { findTokens } from '@catalog/consumer/identity/token-store';
import { withinTime } from '@catalog/consumer/runtime/within-time';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { DISCOVERY_MS } from '@catalog/sdk/exchange';
import type { Transport } from '@catalog/sdk/transport';
import type { Diagnostics } from './diagnostics.ts';
import type { ServedConfig } from './served-config.ts';
import {
  addressOf,
  codeOf,
  describeSignIn,
  SignInPending,
  type Confirmation,
} from './sign-in-pending.ts';

/**
 * Resolves where a call may go on: somebody is signed in, or nobody has to be. Otherwise it starts a
 * sign-in, and throws `SignInPending` as long as nobody has confirmed it.
 */
export type RequireSignIn = (signal?: AbortSignal) => Promise<void>;

export function openSignIn(
  config: ServedConfig,
  transport: Transport,
  { note }: Diagnostics,
): RequireSignIn {
  const { identity, registry: named } = config;
  const registry = named.value;
  const { origin } = new URL(registry);
  let background: Promise<BackgroundSignIn> | undefined;
  let confirmation: Confirmation | undefined;
  let isDeclined = !signsPeopleIn(config);
  const named_by = named.origin.kind.startsWith('workspace') ? named.origin.name : undefined;

  async function open(): Promise<BackgroundSignIn> {
    const { openBackgroundSignIn } = await import('@catalog/consumer/identity/background-sign-in');
    return openBackgroundSignIn(registry, config, transport, ({ subject }) =>
      note(`signed in${subject === undefined ? '' : ` as ${escapeControls(subject)}`}`),
    );
  }

  function needsToken(): boolean {
    return !isDeclined && findTokens(identity, origin) === undefined;
  }

  function confirm(sign_in: PendingSignIn, stop: () => void): Confirmation {
    const decline = (): void => {
      isDeclined = true;
      stop();
      note(`sign-in was not completed; run \`catalog login --registry ${registry}\``);
    };
    const started = { registry, named_by, sign_in, is_shown: false, decline };
    note(
      `to sign in to ${registry}, open ${addressOf(started)} and confirm ${codeOf(started)}. ${describeSignIn(started)}`,
    );
    return started;
  }

  /**
   * Does what the first call would have to wait for: loads the code, asks the registry whether it wants
   * anybody to sign in, and has a connection then. A registry that may have come with a clone is left
   * alone until somebody calls a tool; one that does not answer is for that call to report.
   */
  async function prepare(): Promise<void> {
    background = open();
    const one = await background;
    if (named_by === undefined) await one.prepare();
  }

  if (needsToken()) prepare().catch(() => undefined);

  return async (signal) => {
    if (!needsToken()) return;
    background ??= open();
    const one = await background;
    const sign_in = await withinTime(registry, DISCOVERY_MS, signal, () => one.pending()).catch(
      goOnWhereAway,
    );
    if (sign_in === undefined) return;
    if (confirmation?.sign_in !== sign_in) confirmation = confirm(sign_in, () => one.stop());
    throw new SignInPending(confirmation);
  };
}

/** Elsewhere the token is given, or nobody may be asked anything. */
function signsPeopleIn({ identity, cache_mode }: ServedConfig): boolean {
  return (
    identity.token === undefined &&
    identity.provider.value === 'oauth-device-code' &&
    cache_mode?.value !== 'offline-only'
  );
}

const AWAY: ReadonlySet<string> = new Set(['network.registry_unreachable', 'registry.unavailable']);

/** A registry that cannot be asked now is the question's own to report. */
function goOnWhereAway(error: unknown): undefined {
  if (!(error instanceof CatalogError && AWAY.has(error.code))) throw error;
}
