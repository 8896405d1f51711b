import { describe, expect, test } from 'vitest';
import type { IssuerKeys } from '../../ports/issuers.ts';
import { openForTest, type OpenStore } from '../samples.conformance.ts';

const KEYS: IssuerKeys = {
  issuer: 'https://id.example.com',
  issuers: ['https://id.example.com', 'https://tokens.example.com'],
  keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'eA', kid: '“käy”' }],
  fetched_at: '2026-01-01T12:00:00.000Z',
};

export function issuersConformance(open: OpenStore): void {
  describe('issuer keys', () => {
    test('are stored for each issuer', async () => {
      const store = await openForTest(open);
      const other = { ...KEYS, issuer: 'https://other.example.com', keys: [] };
      expect(await store.issuers.get(KEYS.issuer)).toBeUndefined();
      await store.transaction(async ({ issuers }) => {
        await issuers.put(KEYS);
        await issuers.put(other);
        expect(await issuers.get(KEYS.issuer)).toEqual(KEYS);
      });
      expect(await store.issuers.get(KEYS.issuer)).toEqual(KEYS);
      expect(await store.issuers.get(other.issuer)).toEqual(other);
    });

    test('are replaced only by keys that were fetched later', async () => {
      const store = await openForTest(open);
      const put = (keys: IssuerKeys): Promise<void> =>
        store.transaction(({ issuers }) => issuers.put(keys));
      const later = { ...KEYS, keys: [], fetched_at: '2026-01-01T12:00:01.000Z' };
      await put(KEYS);
      await put(later);
      await put(KEYS);
      expect(await store.issuers.get(KEYS.issuer)).toEqual(later);
    });
  });
}
