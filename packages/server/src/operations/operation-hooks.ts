/** What an operation tells whoever started it, and is told. */
export interface OperationHooks {
  /** What it is at, and how many rows of that it has been through. */
  report(progress: { step: string; done: number }): void;
  signal: AbortSignal;
}
