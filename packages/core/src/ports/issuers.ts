import type { JsonObject } from '../json.ts';

/** Public keys of an issuer, stored for processes that start while it is unavailable (SPEC-14). */
export interface IssuerKeys {
  issuer: string;
  issuers: readonly string[];
  /** JSON Web Keys with public members only. */
  keys: readonly JsonObject[];
  fetched_at: string;
}

export interface IssuerReads {
  get(issuer: string): Promise<IssuerKeys | undefined>;
}

export interface IssuerWrites extends IssuerReads {
  /** Stores the keys, unless the stored ones were fetched later. */
  put(keys: IssuerKeys): Promise<void>;
}
