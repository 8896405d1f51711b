import { member, record, text, type Check } from '@catalog/core/manifest/field-checks';
import type { GitCredential } from '@catalog/core/ports/git-credential';

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
