/** Maximum number of bytes of a response body that a result keeps. */
export const MAX_WEBHOOK_RESPONSE_BYTES = 1024;

/** Result of one webhook attempt, with its duration in milliseconds. */
export type WebhookResult =
  | {
      kind: 'responded';
      /** Any status, including 3xx: redirects are not followed. */
      status: number;
      /** Delay that the receiver requested with `Retry-After`. */
      retry_after_ms: number | undefined;
      /** At most MAX_WEBHOOK_RESPONSE_BYTES of UTF-8, from the start of the body. */
      response: string;
      duration_ms: number;
    }
  /**
   * `failed`: no complete response head arrived. `refused`: the URL policy rejects the target, so
   * nothing was sent.
   */
  | { kind: 'failed' | 'refused'; reason: string; duration_ms: number };

/** Sends dispatches to webhook receivers within the URL policy (HOOKOUT-28 to HOOKOUT-36). */
export interface WebhookSender {
  /** Throws `registry.invalid_argument`, with a message that names the host, if the URL policy rejects the URL. */
  check(url: string, signal: AbortSignal): Promise<void>;
  /**
   * Sends the body again if a kept-alive connection ends before the response. Rejects only if the
   * signal aborts the attempt.
   */
  send(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<WebhookResult>;
  close(): Promise<void>;
}
