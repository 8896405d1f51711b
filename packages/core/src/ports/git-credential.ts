export const CREDENTIAL_SCHEMES = ['https', 'http', 'ssh'] as const;

/** Password or key of the registry for a git host, for organization layers (SPEC-54, SPEC-91). */
export interface GitCredential {
  /** Name of the tenant whose layers may use it; undefined on a registry with one tenant. */
  tenant?: string;
  /** `https` for a password and `ssh` for a key, if undefined. */
  scheme?: (typeof CREDENTIAL_SCHEMES)[number];
  host: string;
  port?: number;
  /** Leading segments of a repository's path; every repository of the host, if undefined. */
  path_prefix?: string;
  username?: string;
  password?: string;
  ssh_key?: string;
}
