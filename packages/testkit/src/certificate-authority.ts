import { webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as X509 from '@peculiar/x509';

/** Certificate in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface CertificateFiles {
  cert_file: string;
  key_file: string;
}

export interface CertificateAuthority {
  /** Certificate of the authority in PEM, which clients must trust. */
  cert: string;
  /** Writes the certificate as `ca.pem` and returns its path. */
  writeCert(folder: string): string;
  issue(names?: readonly string[]): Promise<Certificate>;
  /** Issues `<name>.cert.pem` and `<name>.key.pem`. */
  issueFiles(folder: string, name?: string): Promise<CertificateFiles>;
}

const HERE = ['localhost', '127.0.0.1', '::1'];
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

export async function createCertificateAuthority(
  name = 'catalog test authority',
): Promise<CertificateAuthority> {
  const x509 = await loadX509();
  const keys = await newKeys();
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity(),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });

  async function issue(names: readonly string[] = HERE): Promise<Certificate> {
    const leaf = await newKeys();
    const cert = await x509.X509CertificateGenerator.create({
      subject: `CN=${names[0] ?? ''}`,
      issuer: own.subject,
      publicKey: leaf.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      ...validity(),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value })),
        ),
        await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
        await x509.SubjectKeyIdentifierExtension.create(leaf.publicKey),
      ],
    });
    // A browser trusts the authority by its key in the chain.
    const chain = [cert, own].map((one) => one.toString('pem')).join('\n');
    return { cert: chain, key: await privateKeyPem(leaf) };
  }

  return {
    cert: own.toString('pem'),
    writeCert(folder) {
      const file = join(folder, 'ca.pem');
      writeFileSync(file, own.toString('pem'));
      return file;
    },
    issue,
    async issueFiles(folder, stem = 'localhost') {
      const { cert, key } = await issue();
      const cert_file = join(folder, `${stem}.cert.pem`);
      const key_file = join(folder, `${stem}.key.pem`);
      writeFileSync(cert_file, cert);
      writeFileSync(key_file, key, { mode: 0o600 });
      return { cert_file, key_file };
    },
  };
}

/** Loads the library, which needs the metadata functions of decorators but no metadata: three stubs are sufficient. */
async function loadX509(): Promise<typeof X509> {
  if (!Reflect.has(Reflect, 'getMetadata')) {
    Object.assign(Reflect, {
      getMetadata: () => undefined,
      getOwnMetadata: () => undefined,
      defineMetadata: () => undefined,
    });
  }
  return import('@peculiar/x509');
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function privateKeyPem({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
}

/** Returns the validity: from yesterday, because clocks differ, for as long as browsers accept. */
function validity(): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + 365 * DAY_MS) };
}
