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
  signInUrl,
  codeOf,
  describeSignIn,
  SignInPending,
  type Confirmation,
} from './sign-in-pending.ts';

/**
 * Resolves if a call can continue: the user is signed in, or need not be. Otherwise starts a sign-in and throws
 * `SignInPending` until the user confirms it.
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
  let isDeclined = !isSignInEnabled(config);
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
      `to sign in to ${registry}, open ${signInUrl(started)} and confirm ${codeOf(started)}. ${describeSignIn(started)}`,
    );
    return started;
  }

  /**
   * Loads the code, checks whether the registry requires a sign-in, and keeps the connection. If only a workspace file
   * names the registry, this waits for the first tool call.
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
      ignoreUnavailable,
    );
    if (sign_in === undefined) return;
    if (confirmation?.sign_in !== sign_in) confirmation = confirm(sign_in, () => one.stop());
    throw new SignInPending(confirmation);
  };
}

function isSignInEnabled({ identity, cache_mode }: ServedConfig): boolean {
  return (
    identity.token === undefined &&
    identity.provider.value === 'oauth-device-code' &&
    cache_mode?.value !== 'offline-only'
  );
}

const UNAVAILABLE_CODES: ReadonlySet<string> = new Set([
  'network.registry_unreachable',
  'registry.unavailable',
]);

/** The request itself reports an unavailable registry. */
function ignoreUnavailable(error: unknown): undefined {
  if (!(error instanceof CatalogError && UNAVAILABLE_CODES.has(error.code))) throw error;
}
