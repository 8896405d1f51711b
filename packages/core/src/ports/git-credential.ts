export const CREDENTIAL_SCHEMES = ['https', 'http', 'ssh'] as const;

/** Credential of the registry for a git host, for layers of the organization (SPEC-54, SPEC-91). */
export interface GitCredential {
  /** Tenant whose layers may use the credential; undefined with a single tenant. */
  tenant?: string;
  /** Scheme; if undefined, `https` for a password and `ssh` for a key. */
  scheme?: (typeof CREDENTIAL_SCHEMES)[number];
  host: string;
  port?: number;
  /** Leading segments of repository paths; if undefined, all repositories of the host. */
  path_prefix?: string;
  username?: string;
  password?: string;
  ssh_key?: string;
}
