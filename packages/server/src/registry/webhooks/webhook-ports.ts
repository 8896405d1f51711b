import type { Lane } from '@catalog/core/lane';
import type { ReceiverFile } from '@catalog/core/ports/receiver-file';
import type { WebhookSender } from '@catalog/core/ports/webhook-sender';

export interface WebhookPorts {
  sender: WebhookSender;
  file: ReceiverFile | undefined;
  newSecret(): string;
  /** Delays between attempts; a dispatch fails after the last one. */
  schedule_ms: readonly number[];
  /** Maximum number of attempts in this process; `receiver_concurrency` applies per receiver. */
  concurrency: number;
  receiver_concurrency: number;
  tests: Lane;
}
