import { isIPv6 } from 'node:net';
import {
  member,
  oneOf,
  record,
  report,
  INVALID_FIELD,
  text,
  integerBetween,
  type Check,
} from '@catalog/core/manifest/field-checks';
import { CREDENTIAL_SCHEMES, type GitCredential } from '@catalog/core/ports/git-credential';
import { checked } from './setting.ts';
import { tenant } from './tenant-name.ts';

const host = checked(
  'a host name or an IP address',
  'Write only the host, and put a port into `port`.',
  (value) => (/^[A-Za-z0-9_.-]{1,255}$/.test(value) || isIPv6(value) ? value : undefined),
);

const entry = record<GitCredential>({
  create: () => ({ host: '' }),
  required: ['host'],
  members: [
    member('tenant', tenant),
    member('scheme', oneOf(CREDENTIAL_SCHEMES)),
    member('host', host),
    member('port', integerBetween(1, 65_535)),
    member('path_prefix', text()),
    member('username', text()),
    member('password', text()),
    member('ssh_key', text()),
  ],
  strict: true,
});

export const gitCredential: Check<GitCredential> = {
  shape: entry.shape,
  read(value, at) {
    const credential = entry.read(value, at);
    if (credential === undefined) return undefined;
    const { scheme, password, ssh_key } = credential;
    if ((password === undefined) === (ssh_key === undefined)) {
      report(
        at,
        INVALID_FIELD,
        'A git credential has exactly one secret: `password` or `ssh_key`.',
        'Write one entry for https and another for ssh.',
      );
      return undefined;
    }
    if (scheme === undefined || (scheme === 'ssh') === (ssh_key !== undefined)) return credential;
    const [secret, suitable] =
      scheme === 'ssh' ? ['`password`', '`ssh_key`'] : ['`ssh_key`', '`password`'];
    report(
      at,
      INVALID_FIELD,
      `A git credential with the scheme ${scheme} cannot have ${secret}.`,
      `Set ${suitable} instead, or remove \`scheme\`.`,
    );
    return undefined;
  },
};

export function maskCredential(credential: GitCredential): GitCredential {
  return credential.password === undefined ? credential : { ...credential, password: '***' };
}
