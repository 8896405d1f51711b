import type { KeptReceiver } from './receivers.ts';

/** A file that defines the receivers (HOOKOUT-26). */
export interface ReceiverFile {
  read(): Promise<KeptReceiver[] | undefined>;
  /** Writes the receivers that `list` returns, after earlier writes, so that the newest state is last. */
  write(list: () => Promise<readonly KeptReceiver[]>): Promise<void>;
}
