/** A name that is somebody's until they release it. */
export interface Hold {
  /**
   * Fires when the name may be somebody else's although it was not released: the way to those who share
   * it was cut. Whoever holds it stops what it does.
   */
  lost: AbortSignal;
  /** Gives it back; a second time does nothing. */
  release(): Promise<void>;
}

/**
 * Names that one has at a time, among all processes on the same store. A process that ends has released
 * all of its names.
 */
export interface Locks {
  /** Waits until nobody has the name; throws the signal's reason when that fires first. */
  take(name: string, signal: AbortSignal): Promise<Hold>;
  /** The name, if nobody has it now. */
  tryTake(name: string): Promise<Hold | undefined>;
}
