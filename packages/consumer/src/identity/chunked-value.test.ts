import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { getValue, MAX_ENTRY_BYTES, removeValue, setValue } from './chunked-value.ts';
import type { Entries } from './entries.ts';
import { getFromKeychain, removeFromKeychain, saveInKeychain } from './token-store.ts';

const LABEL = 'https://catalog.example.com';

interface Keychain extends Entries {
  labels(): string[];
  onChange: (count: number) => void | Promise<void>;
}

function openMemory(): Keychain {
  const values = new Map<string, Uint8Array>();
  let changes = 0;
  const keychain: Keychain = {
    onChange: () => undefined,
    labels: () => [...values.keys()].toSorted(),
    get: (label) => Promise.resolve(values.get(label)),
    set: async (label, value) => {
      await keychain.onChange(changes++);
      expect(value.length).toBeLessThanOrEqual(MAX_ENTRY_BYTES);
      values.set(label, value);
    },
    remove: async (label) => {
      await keychain.onChange(changes++);
      values.delete(label);
    },
  };
  return keychain;
}

function valueOf(length: number, seed: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => 97 + ((index * 7 + seed) % 26)));
}

const LENGTHS = [
  1,
  MAX_ENTRY_BYTES,
  MAX_ENTRY_BYTES + 1,
  3 * MAX_ENTRY_BYTES,
  4 * MAX_ENTRY_BYTES + 17,
];
const PAIRS = LENGTHS.flatMap((old) => LENGTHS.map((next) => [old, next] as const));

class Crash extends Error {}

async function crashBefore(
  nth: number,
  keychain: Keychain,
  run: () => Promise<void>,
): Promise<boolean> {
  let left = nth;
  keychain.onChange = () => {
    if (left === 0) throw new Crash();
    left -= 1;
  };
  try {
    await run();
    return false;
  } catch (error) {
    if (error instanceof Crash) return true;
    throw error;
  } finally {
    keychain.onChange = () => undefined;
  }
}

describe('keychain values', () => {
  verifies(
    ['KEY-04', 'KEY-05', 'KEY-06', 'KEY-07'],
    'a value of up to 2500 bytes is one entry; a longer value is a marker with numbered entries',
    async () => {
      const keychain = openMemory();
      for (const [old, next] of PAIRS) {
        await setValue(keychain, LABEL, valueOf(old, 1));
        await setValue(keychain, LABEL, valueOf(next, 2));
        expect(await getValue(keychain, LABEL)).toEqual(valueOf(next, 2));
        const chunks = next <= MAX_ENTRY_BYTES ? 0 : Math.ceil(next / MAX_ENTRY_BYTES);
        expect(keychain.labels()).toHaveLength(1 + chunks);
        expect(keychain.labels()[0]).toBe(LABEL);
        const bare = Buffer.from((await keychain.get(LABEL)) ?? []).toString();
        expect(bare.startsWith('#chunks')).toBe(chunks > 0);
      }
    },
  );

  verifies('KEY-08', 'removeValue removes all entries', async () => {
    for (const length of LENGTHS) {
      const keychain = openMemory();
      await setValue(keychain, LABEL, valueOf(length, 1));
      await removeValue(keychain, LABEL);
      expect(keychain.labels()).toEqual([]);
    }
  });

  test('getValue returns the old or the new value after every crash, and the next save leaves no leftovers', async () => {
    for (const [old, next] of PAIRS) {
      for (let step = 0, crashed = true; crashed; step += 1) {
        const keychain = openMemory();
        await setValue(keychain, LABEL, valueOf(old, 1));
        const save = (): Promise<void> => setValue(keychain, LABEL, valueOf(next, 2));
        crashed = await crashBefore(step, keychain, save);
        const found = await getValue(keychain, LABEL);
        expect([valueOf(old, 1), valueOf(next, 2)]).toContainEqual(found);
        await setValue(keychain, LABEL, valueOf(5, 3));
        expect(keychain.labels()).toEqual([LABEL]);
      }
    }
  });

  test('getValue returns the old or the new value during a save', async () => {
    for (const [old, next] of PAIRS) {
      const keychain = openMemory();
      await setValue(keychain, LABEL, valueOf(old, 1));
      const seen: unknown[] = [];
      keychain.onChange = async () => {
        seen.push(await getValue(keychain, LABEL));
      };
      await setValue(keychain, LABEL, valueOf(next, 2));
      for (const found of seen) expect([valueOf(old, 1), valueOf(next, 2)]).toContainEqual(found);
    }
  });

  test('getValue reads again if the value changes while it is read', async () => {
    const keychain = openMemory();
    await setValue(keychain, LABEL, valueOf(9000, 1));
    let reads = 0;
    const slow: Entries = {
      ...keychain,
      get: async (label) => {
        reads += 1;
        // After two saves, the same entry numbers contain other parts.
        if (reads === 3) await setValue(keychain, LABEL, valueOf(9000, 2));
        if (reads === 3) await setValue(keychain, LABEL, valueOf(9000, 3));
        return keychain.get(label);
      },
    };
    expect(await getValue(slow, LABEL)).toEqual(valueOf(9000, 3));
  });
});

describe('tokens in a keychain', () => {
  const tokens = (seed: number) => ({
    access_token: valueOf(3000, seed).toString(),
    refresh_token: `refresh ${seed}`,
    expires_at: 2_000_000_000,
    token_endpoint: 'https://idp.example.com/token',
    client_id: 'catalog-cli',
  });

  test('after a crash, read back unchanged or as a token that needs renewal', async () => {
    for (let step = 0, crashed = true; crashed; step += 1) {
      const keychain = openMemory();
      await saveInKeychain(keychain, LABEL, tokens(1));
      const save = (): Promise<void> => saveInKeychain(keychain, LABEL, tokens(2));
      crashed = await crashBefore(step, keychain, save);
      const found = await getFromKeychain(keychain, LABEL);
      const renewed = { ...tokens(2), access_token: tokens(1).access_token, expires_at: 0 };
      expect([tokens(1), tokens(2), renewed]).toContainEqual(found);
    }
  });

  test('are both removed by a logout, and an interrupted one signs out', async () => {
    for (let step = 0, crashed = true; crashed; step += 1) {
      const keychain = openMemory();
      await saveInKeychain(keychain, LABEL, tokens(1));
      crashed = await crashBefore(step, keychain, () => removeFromKeychain(keychain, LABEL));
      if (step > 0) expect(await getFromKeychain(keychain, LABEL)).toBeUndefined();
      await removeFromKeychain(keychain, LABEL);
      expect(keychain.labels()).toEqual([]);
    }
  });
});
