/** Maximum size of a stored response body. */
export const MAX_WEBHOOK_RESPONSE_BYTES = 1024;

/** Result of an attempt, with its duration in milliseconds. */
export type WebhookResult =
  | {
      kind: 'responded';
      /** Any status. Redirects, 3xx, are not followed. */
      status: number;
      /** Delay that the receiver requested with `Retry-After`. */
      retry_after_ms: number | undefined;
      /** Start of the body as UTF-8, at most MAX_WEBHOOK_RESPONSE_BYTES. */
      response: string;
      duration_ms: number;
    }
  /** `failed`: no complete response arrived. `refused`: the URL policy rejects the target, so nothing was sent. */
  | { kind: 'failed' | 'refused'; reason: string; duration_ms: number };

/** Sends dispatches to webhook receivers, within the URL policy (HOOKOUT-28 to HOOKOUT-36). */
export interface WebhookSender {
  /** Throws `registry.invalid_argument` with the host name if the URL policy rejects the URL. */
  check(url: string, signal: AbortSignal): Promise<void>;
  /**
   * Sends a dispatch. If a kept-alive connection ends before the response, it is sent again. Rejects only if the signal
   * aborts.
   */
  send(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<WebhookResult>;
  close(): Promise<void>;
}
