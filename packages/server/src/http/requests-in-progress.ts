/** Counts requests without a complete response, by endpoint. */
export class RequestsInProgress {
  readonly #counts = new Map<string, number>();

  begin(endpoint: string): void {
    this.#counts.set(endpoint, (this.#counts.get(endpoint) ?? 0) + 1);
  }

  end(endpoint: string): void {
    this.#counts.set(endpoint, (this.#counts.get(endpoint) ?? 1) - 1);
  }

  /** Endpoints with requests in progress, and their number. */
  list(): Record<string, number> {
    return Object.fromEntries([...this.#counts].filter(([, count]) => count > 0));
  }
}
