export class RequestsInProgress {
  readonly #counts = new Map<string, number>();

  begin(endpoint: string): void {
    this.#counts.set(endpoint, (this.#counts.get(endpoint) ?? 0) + 1);
  }

  end(endpoint: string): void {
    this.#counts.set(endpoint, (this.#counts.get(endpoint) ?? 1) - 1);
  }

  list(): Record<string, number> {
    return Object.fromEntries([...this.#counts].filter(([, count]) => count > 0));
  }
}
