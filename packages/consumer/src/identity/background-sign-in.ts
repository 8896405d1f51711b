import { DISCOVERY_MS } from '@catalog/sdk/exchange';
import type { Transport } from '@catalog/sdk/transport';
import type { Config } from '../config/types.ts';
import { withinTime } from '../runtime/within-time.ts';
import { NotConfirmed, type DeviceCode } from './device-flow.ts';
import { asksToSignIn, findIssuer, type Issuer } from './find-issuer.ts';
import { signIn, type SignedIn } from './sign-in.ts';
import { signInSettings, tokenStoreOf } from './sign-in-settings.ts';
import { findTokens } from './token-store.ts';

/** A sign-in that waits for a person while everything else goes on. */
export interface PendingSignIn extends DeviceCode {
  /** Settles once it waits no more, however it ended. */
  ended: Promise<void>;
}

/** The sign-in of a process that runs for long; there is one at a time. */
export interface BackgroundSignIn {
  /** Finds out whether the registry asks anybody, before somebody waits for that. It starts no sign-in. */
  prepare(): Promise<void>;
  /**
   * The one that waits to be confirmed; where none does, another is started. Undefined where the
   * registry asks nobody who they are. Why the one before it failed is said once, in its place.
   */
  pending(): Promise<PendingSignIn | undefined>;
  /** Waits no more for somebody who does not want to sign in. */
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

  /** Resolves with the code, long before anybody has confirmed it. */
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
          else if (!own.signal.aborted && !(error instanceof NotConfirmed)) failure = error;
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
        // One sign-in of a person serves all of their processes.
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
      const asks = await withinTime(registry, DISCOVERY_MS, undefined, (own) =>
        asksToSignIn(registry, transport, own),
      );
      if (!asks) current ??= Promise.resolve(undefined);
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
