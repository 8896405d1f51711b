import type { Lane } from '@catalog/core/lane';
import type { ReceiverFile } from '@catalog/core/ports/receiver-file';
import type { WebhookSender } from '@catalog/core/ports/webhook-sender';

export interface WebhookPorts {
  sender: WebhookSender;
  file: ReceiverFile | undefined;
  newSecret(): string;
  /** A dispatch fails after the last delay. */
  schedule_ms: readonly number[];
  /** Applies to this process; `receiver_concurrency` applies per receiver. */
  concurrency: number;
  receiver_concurrency: number;
  tests: Lane;
}
