import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { readScimTokens } from './check-scim-tokens.ts';
import { loadSettings } from './load.ts';

function load(text: string, several: boolean) {
  const folder = temporaryFolder();
  const more: Record<string, string> = several
    ? {
        CATALOG_MULTI_TENANT: 'true',
        CATALOG_IDENTITY_PROVIDER: 'trusted-headers',
        CATALOG_TRUSTED_PROXY_SECRET: 'what only the proxy knows, long enough',
      }
    : {};
  const env = { CATALOG_SCIM_TOKENS: text, ...more };
  return loadSettings({ cwd: folder, home: folder, env, flags: {} }).settings;
}

describe('SCIM tokens', () => {
  test('are a list; in a multi-tenant registry, each has its tenant before the first equals sign', () => {
    expect(readScimTokens(load('a=b,c', false))).toEqual([
      { organization: undefined, token: 'a=b' },
      { organization: undefined, token: 'c' },
    ]);
    expect(readScimTokens(load('acme=a=b,initech=c', true))).toEqual([
      { organization: 'acme', token: 'a=b' },
      { organization: 'initech', token: 'c' },
    ]);
  });

  test.each(['token', '=token', 'acme=', 'acme=x,token'])(
    'stop the startup of a multi-tenant registry if they are "%s"',
    (text) => {
      expect(() => load(text, true)).toThrow(
        expect.objectContaining({ code: 'config.invalid', details: { key: 'scim.tokens' } }),
      );
    },
  );

  test('are not repeated in the error', () => {
    expect(() => load('acme=one,hunter2', true)).toThrow(/^(?!.*hunter2)/);
  });
});
