import type { KeptReceiver } from './receivers.ts';

/** A file that defines the receivers (HOOKOUT-26). */
export interface ReceiverFile {
  read(): Promise<KeptReceiver[] | undefined>;
  /** Runs `list` after earlier writes have ended, so that the newest state is written last. */
  write(list: () => Promise<readonly KeptReceiver[]>): Promise<void>;
}
