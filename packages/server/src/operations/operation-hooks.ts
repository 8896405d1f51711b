export interface OperationHooks {
  report(progress: { step: string; done: number }): void;
  signal: AbortSignal;
}
