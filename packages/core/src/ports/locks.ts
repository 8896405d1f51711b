export interface HeldLock {
  /** Aborts if the connection is lost. The holder must stop, because another process may hold the lock. */
  lost: AbortSignal;
  release(): Promise<void>;
}

/** Locks, each with one holder among all processes of the store. The end of a process releases its locks. */
export interface Locks {
  take(name: string, signal: AbortSignal): Promise<HeldLock>;
  tryTake(name: string): Promise<HeldLock | undefined>;
}
