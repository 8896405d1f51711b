import { request } from 'node:https';
import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { startTokenIssuer } from './token-issuer.ts';

function fetchJson(address: string, ca: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { ca, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.once('end', () => resolve(JSON.parse(text)));
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}

test('token issuer publishes its signing keys only to clients that trust its authority', async () => {
  const issuer = await startTokenIssuer();
  const { cert } = issuer.authority;
  const document = await fetchJson(`${issuer.issuer}/.well-known/openid-configuration`, cert);
  expect(document).toMatchObject({ issuer: issuer.issuer, jwks_uri: `${issuer.issuer}/keys` });
  expect(await fetchJson(`${issuer.issuer}/keys`, cert)).toEqual({
    keys: issuer.keys.map((key) => key.jwk),
  });
  const other = await startTokenIssuer();
  await expect(fetchJson(`${issuer.issuer}/keys`, other.authority.cert)).rejects.toThrow();
  expect(issuer.keySetRequests()).toBe(1);
});

test.each(['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA'])(
  'token issuer signs with %s',
  async (algorithm) => {
    const issuer = await startTokenIssuer({ algorithm });
    const [header = '', payload = '', signature = ''] = issuer.mint({ sub: 'alice' }).split('.');
    const [key] = issuer.keys;
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(claims).toMatchObject({ sub: 'alice', iss: issuer.issuer });
    const public_key = createPublicKey({ key: { ...key?.jwk }, format: 'jwk' });
    const options =
      algorithm === 'PS384'
        ? { key: public_key, padding: 6, saltLength: 48 }
        : { key: public_key, dsaEncoding: 'ieee-p1363' as const };
    const digest = algorithm === 'EdDSA' ? null : `sha${algorithm.slice(2)}`;
    const data = Buffer.from(`${header}.${payload}`);
    expect(verify(digest, data, options, Buffer.from(signature, 'base64url'))).toBe(true);
  },
);

test('token issuer can be stopped and restarted at the same URL', async () => {
  const issuer = await startTokenIssuer();
  const address = `${issuer.issuer}/keys`;
  await issuer.stop();
  await expect(fetchJson(address, issuer.authority.cert)).rejects.toThrow('ECONNREFUSED');
  await issuer.restart();
  const { kid } = await issuer.rotate();
  const before = issuer.keys[0]?.kid ?? '';
  issuer.remove(before);
  expect(await fetchJson(address, issuer.authority.cert)).toMatchObject({ keys: [{ kid }] });
});
