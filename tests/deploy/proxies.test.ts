import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { checkReverseProxy } from '@catalog/testkit/reverse-proxy';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';

const INSTALL_MS = 300_000;

test.each(['nginx', 'caddy'] as const)(
  'the example for %s is valid for the version that Debian ships',
  async (name) => {
    const authority = await createCertificateAuthority();
    const folder = temporaryFolder();
    await expect(
      checkReverseProxy({ name, folder, authority, ports: [8081, 8082, 8083] }),
    ).resolves.toBeUndefined();
  },
  INSTALL_MS,
);
