import type { JsonObject } from '../json.ts';

/** Public keys of an issuer, for processes that start while it is unavailable (SPEC-14). */
export interface IssuerKeys {
  issuer: string;
  issuers: readonly string[];
  /** JSON Web Keys with public members. */
  keys: readonly JsonObject[];
  fetched_at: string;
}

export interface IssuerReads {
  get(issuer: string): Promise<IssuerKeys | undefined>;
}

export interface IssuerWrites extends IssuerReads {
  /** Stores keys unless later ones are stored. */
  put(keys: IssuerKeys): Promise<void>;
}
