import { member, record, text, type Check } from '@catalog/core/manifest/field-checks';

/** What the registry shows a git host for its admin-defined layers (decision 54). */
export interface GitCredential {
  host: string;
  /** Repositories whose path begins so; every one of the host when absent. */
  path_prefix?: string;
  username?: string;
  password?: string;
  /** The private key for ssh. */
  ssh_key?: string;
}

export const gitCredential: Check<GitCredential> = record<GitCredential>({
  create: () => ({ host: '' }),
  required: ['host'],
  members: [
    member('host', text(255)),
    member('path_prefix', text()),
    member('username', text()),
    member('password', text()),
    member('ssh_key', text()),
  ],
  strict: true,
});

export function maskCredential(credential: GitCredential): GitCredential {
  return credential.password === undefined ? credential : { ...credential, password: '***' };
}
