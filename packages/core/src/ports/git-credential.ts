/** What the registry shows a git host for its admin-defined layers (SPEC-54). */
export interface GitCredential {
  host: string;
  /** Repositories whose path begins so; every one of the host when absent. */
  path_prefix?: string;
  username?: string;
  password?: string;
  /** A file with the private key for ssh. */
  ssh_key?: string;
}
