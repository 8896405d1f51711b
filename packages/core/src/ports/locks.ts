export interface HeldLock {
  /** Fires if the connection is lost, so that another process may hold the lock. The holder must stop. */
  lost: AbortSignal;
  release(): Promise<void>;
}

/** Each has one holder among all processes on the store. The end of a process releases its locks. */
export interface Locks {
  take(name: string, signal: AbortSignal): Promise<HeldLock>;
  tryTake(name: string): Promise<HeldLock | undefined>;
}
