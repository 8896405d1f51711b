import type { EgressRules, Resolve } from '../../egress/check-address.ts';

/** What the registry shows a git host for its admin-defined layers (decision 54). */
export interface GitCredential {
  host: string;
  /** Repositories whose path begins so; every one of the host when absent. */
  path_prefix?: string;
  username?: string;
  password?: string;
  /** A file with the private key for ssh. */
  ssh_key?: string;
}

export interface GitOptions {
  /** Where the bare repositories are kept; everything in it can be fetched again. */
  folder: string;
  /** The folders programs are looked for in, as `PATH` has them. */
  search_path: string;
  egress: EgressRules;
  resolve: Resolve;
  credentials: readonly GitCredential[];
  /** The host keys ssh trusts; those of the account when undefined. */
  known_hosts: string | undefined;
  limits: {
    /** The most bytes a layer may hold, and a fetch may bring. */
    bytes: number;
    files: number;
    time_ms: number;
  };
}
