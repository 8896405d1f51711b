import { oidcSettings, openProviderInTest } from '@catalog/testkit/provider-in-test';
import { startTokenIssuer } from '@catalog/testkit/token-issuer';
import { expect, test, vi } from 'vitest';

test.each([
  ['exp is reached', {}, { exp: 0 }, false],
  ['exp was reached within the expiry leeway', { expiry: 20 }, { exp: -10 }, true],
  ['exp was reached before the expiry leeway', { expiry: 20 }, { exp: -20 }, false],
  ['exp was reached within the clock leeway', { start: 60 }, { exp: -10 }, false],
  ['nbf is within the default leeway', {}, { nbf: 29 }, true],
  ['nbf is after the default leeway', {}, { nbf: 31 }, false],
  ['nbf is within the expiry leeway only', { expiry: 60, start: 0 }, { nbf: 10 }, false],
  ['iat is within the clock leeway', { start: 60 }, { iat: 50 }, true],
  ['iat is after the clock leeway', { start: 0 }, { iat: 5 }, false],
])('checks the times of a token whose %s', async (_, leeway, offsets, isAccepted) => {
  const issuer = await startTokenIssuer();
  const now = Math.floor(Date.now() / 1000);
  vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 });
  try {
    const provider = openProviderInTest({
      ...oidcSettings(issuer),
      ...('expiry' in leeway && { 'identity_provider.expiry_leeway': leeway.expiry }),
      ...('start' in leeway && { 'identity_provider.clock_leeway': leeway.start }),
    });
    const claims = Object.entries(offsets).map(([name, offset]) => [name, now + offset]);
    const token = issuer.mint({ exp: now + 600, ...Object.fromEntries(claims) });
    expect((await provider.codeOf(token)) === 'subject').toBe(isAccepted);
  } finally {
    vi.useRealTimers();
  }
});
