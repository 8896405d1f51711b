export interface EmbeddingRequest {
  texts: string[];
  side: 'document' | 'query' | undefined;
  model: string;
  dimensions: number | undefined;
}

export interface EmbeddingResult {
  index: number;
  values: readonly (number | null)[];
}

/** API of a provider, which is as strict as the real one. */
export interface EmbeddingApi {
  provider: 'openai' | 'voyage' | 'cohere' | 'ollama';
  path: string;
  needs_key: boolean;
  /** True if each vector has the index of its text. */
  indexed: boolean;
  /** Parses a request. Throws the error of the provider if it is invalid. */
  read(body: Record<string, unknown>): EmbeddingRequest;
  write(vectors: readonly EmbeddingResult[], asked: EmbeddingRequest): unknown;
  writeError(message: string, code: string): unknown;
}

export function readTexts(value: unknown, max_texts: number): string[] {
  const texts = Array.isArray(value) ? value : [value];
  if (texts.length === 0 || texts.length > max_texts) throw new Error(`1 to ${max_texts} texts`);
  return texts.map((text) => {
    if (typeof text !== 'string' || text === '') throw new Error('a text is no text or empty');
    if (!text.isWellFormed()) throw new Error('a text is no Unicode');
    return text;
  });
}

export function readModel(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Error('model is required');
  return value;
}

export function readDimensions(value: unknown): number | undefined {
  if (value === undefined || (Number.isInteger(value) && Number(value) > 0)) {
    return value === undefined ? undefined : Number(value);
  }
  throw new Error('dimensions must be a positive integer');
}

export function readChoice<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new Error(`one of ${choices.join(', ')}`);
  return found;
}

export function allowOnly(body: Record<string, unknown>, names: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`unknown parameter ${unknown}`);
}
