import type { KeptReceiver } from './receivers.ts';

/** A file that decides which receivers there are (HOOKOUT-26). */
export interface ReceiverFile {
  /** Undefined if there is no file yet. */
  read(): Promise<KeptReceiver[] | undefined>;
  /** Writes what `list` returns when earlier writes have ended, so that the newest state is the last. */
  write(list: () => Promise<readonly KeptReceiver[]>): Promise<void>;
}
