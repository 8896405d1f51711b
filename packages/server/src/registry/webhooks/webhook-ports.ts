import type { Lane } from '@catalog/core/lane';
import type { ReceiverFile } from '@catalog/core/ports/receiver-file';
import type { WebhookSender } from '@catalog/core/ports/webhook-sender';

/** What outbound webhooks need beside the store. */
export interface WebhookPorts {
  sender: WebhookSender;
  /** Decides which receivers there are, if the settings name it. */
  file: ReceiverFile | undefined;
  /** A secret that Standard Webhooks libraries accept. */
  newSecret(): string;
  /** Delays before the retries of a dispatch, in milliseconds; after the last one it has failed. */
  schedule_ms: readonly number[];
  /** Attempts at a time: of this process, and for one receiver. */
  concurrency: number;
  receiver_concurrency: number;
  /** Limits the test events that this process sends at a time. */
  tests: Lane;
}
