import { DISCOVERY_MS } from '@catalog/sdk/exchange';
import type { Transport } from '@catalog/sdk/transport';
import type { Config } from '../config/types.ts';
import { withinTime } from '../runtime/within-time.ts';
import { SignInTimeoutError, type DeviceCode } from './device-flow.ts';
import { requiresSignIn, findIssuer, type Issuer } from './find-issuer.ts';
import { signIn, type SignedIn } from './sign-in.ts';
import { signInSettings, tokenStoreOf } from './sign-in-settings.ts';
import { findTokens } from './token-store.ts';

export interface PendingSignIn extends DeviceCode {
  /** Resolves when the sign-in has ended, successfully or not. */
  ended: Promise<void>;
}

/** Sign-in of a process that continues meanwhile; at most one at a time. */
export interface BackgroundSignIn {
  /** Checks whether the registry requires a sign-in, without starting one. */
  prepare(): Promise<void>;
  /** Returns the pending sign-in or starts one; undefined if none is needed. After a failure, throws its error once. */
  pending(): Promise<PendingSignIn | undefined>;
  stop(): void;
}

export function openBackgroundSignIn(
  registry: string,
  { identity }: Pick<Config, 'identity'>,
  transport: Transport,
  onSignedIn: (who: SignedIn) => void,
): BackgroundSignIn {
  const { origin } = new URL(registry);
  const settings = signInSettings(identity);
  let current: Promise<PendingSignIn | undefined> | undefined;
  let stopping = new AbortController();
  let failure: Error | undefined;

  async function start(): Promise<PendingSignIn | undefined> {
    const issuer = await withinTime(registry, DISCOVERY_MS, undefined, (own) =>
      findIssuer(registry, settings, transport, own),
    );
    return issuer === undefined ? undefined : showCode(issuer);
  }

  /** Resolves as soon as the code is available. */
  function showCode(issuer: Issuer): Promise<PendingSignIn> {
    const own = new AbortController();
    stopping = own;
    return new Promise((resolve, reject) => {
      let isShown = false;
      async function run(): Promise<void> {
        try {
          const who = await signIn(registry, issuer, identity, options, own.signal);
          onSignedIn(who);
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          if (!isShown) reject(error);
          else if (!own.signal.aborted && !(error instanceof SignInTimeoutError)) failure = error;
        } finally {
          current = undefined;
        }
      }
      const options = {
        transport,
        store: tokenStoreOf(identity),
        onCode: (code: DeviceCode) => {
          isShown = true;
          resolve({ ...code, ended });
        },
        // A sign-in by another process of the user ends this one.
        onWait: () => {
          if (findTokens(identity, origin) !== undefined) own.abort();
        },
      };
      const ended = run();
    });
  }

  return {
    async prepare() {
      if (settings.authorization_endpoint !== undefined) return;
      const is_required = await withinTime(registry, DISCOVERY_MS, undefined, (own) =>
        requiresSignIn(registry, transport, own),
      );
      if (!is_required) current ??= Promise.resolve(undefined);
    },
    async pending() {
      if (failure !== undefined) {
        const error = failure;
        failure = undefined;
        throw error;
      }
      current ??= start().catch((error: unknown) => {
        current = undefined;
        throw error;
      });
      return current;
    },
    stop: () => stopping.abort(),
  };
}
