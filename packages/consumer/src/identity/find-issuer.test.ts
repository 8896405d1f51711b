import type { Transport } from '@catalog/sdk/transport';
import { describe, expect, test } from 'vitest';
import { findIssuer } from './find-issuer.ts';

const ISSUER = 'https://id.example';
const ENDPOINTS = {
  device_authorization_endpoint: `${ISSUER}/device`,
  token_endpoint: `${ISSUER}/token`,
  revocation_endpoint: `${ISSUER}/revoke`,
};

function announce(endpoints: Record<string, string>): Transport {
  return async ({ url }) => {
    const isIssuer = url.startsWith(`${ISSUER}/.well-known/openid-configuration`);
    const text = JSON.stringify(isIssuer ? { issuer: ISSUER, ...endpoints } : {});
    return {
      status: isIssuer ? 200 : 404,
      header: (name) => (name === 'content-type' ? 'application/json' : undefined),
      chunks: async function* chunks() {
        yield Buffer.from(text);
      },
    };
  };
}

const find = (endpoints: Record<string, string>): ReturnType<typeof findIssuer> =>
  findIssuer('https://catalog.example', { issuer: ISSUER }, announce(endpoints));

describe('endpoints of an identity provider', () => {
  test('are read from its discovery document', async () => {
    expect((await find(ENDPOINTS))?.server).toMatchObject(ENDPOINTS);
  });

  test.each(Object.keys(ENDPOINTS))('must use https: %s', async (name) => {
    const plain = { ...ENDPOINTS, [name]: 'http://id.example/plain' };
    await expect(find(plain)).rejects.toMatchObject({ message: expect.stringContaining('http:') });
  });
});
