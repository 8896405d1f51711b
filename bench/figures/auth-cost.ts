import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startTokenIssuer, TEST_AUDIENCE } from '@catalog/testkit/token-issuer';
import { median, resultOfParts, type Figure, type Measurement } from '../figure.ts';
import {
  CONNECTIONS,
  loadSide,
  ratesAgainst,
  ROUND_SECONDS,
  startHotRegistry,
  takeTurns,
} from '../load-sides.ts';
import { withDatabase } from '../replicas/standard-store.ts';

const AT_LEAST = 0.8;
/** Far above what is reached: the limit is on, and refuses nobody. */
const RATE = '1000000';

export const authCost: Figure = {
  name: 'auth-cost',
  summary:
    'Requests per second for `load_artifact` of a hot artifact with an `oidc-jwt` token and a quota, compared with the same request to a registry without an identity provider. Runs n rounds of each, alternating, on both stores.',
  kind: 'speed',
  n: 21,
  small_n: 1,
  run: async ({ n, seed, folder }) => {
    const issuer = await startTokenIssuer({ keep: true });
    try {
      const token = issuer.mint({
        sub: 'bench',
        email: 'bench@example.org',
        groups: ['engineers', 'platform'],
        exp: Math.floor(Date.now() / 1000) + 86_400,
      });
      const secured = {
        CATALOG_IDENTITY_PROVIDER: 'oidc-jwt',
        CATALOG_OAUTH_ISSUER: issuer.issuer,
        CATALOG_OAUTH_AUDIENCE: TEST_AUDIENCE,
        CATALOG_CA_FILE: issuer.ca_file,
        CATALOG_QUOTA_MATERIALIZE_RATE: RATE,
      };
      const measure = async (
        name: string,
        open: Readonly<Record<string, string>>,
        authenticated: Readonly<Record<string, string>>,
      ): Promise<Measurement> => {
        const headers = { authorization: `Bearer ${token}` };
        const one = await startHotRegistry(join(folder, name, 'open'), seed, open);
        const other = await startHotRegistry(
          join(folder, name, 'oidc'),
          seed,
          { ...authenticated, ...secured },
          headers,
        );
        try {
          const sides = { open: loadSide(one), oidc: loadSide(other, headers) };
          await takeTurns(sides.oidc, sides.open, n);
          const { ratio, cpu_ratio } = ratesAgainst(sides.oidc, sides.open);
          return {
            name,
            value: median(sides.oidc.rates),
            unit: 'requests/s',
            baseline: median(sides.open.rates),
            ratio,
            cpu_ratio,
            n,
            goal: `ratio >= ${AT_LEAST}`,
            met: ratio >= AT_LEAST,
          };
        } finally {
          await one.stop();
          await other.stop();
        }
      };
      for (const store of ['sqlite', 'postgres']) {
        for (const side of ['open', 'oidc'])
          mkdirSync(join(folder, store, side), { recursive: true });
      }
      const parts = [
        await measure('sqlite', {}, {}),
        await withDatabase((open) =>
          withDatabase((authenticated) => measure('postgres', open, authenticated)),
        ),
      ];
      return resultOfParts('auth-cost', parts, [
        'baseline: the same build, artifact and request without an identity provider',
        `${CONNECTIONS} connections, rounds of ${ROUND_SECONDS} s, servers on one core, load generator on another; ratios are medians over pairs of rounds; the CPU ratio is unauthenticated to authenticated`,
        'the authenticated side checks the signature, issuer, audience and expiry of an ES256 token, roles, groups, the view of the caller and the quota',
      ]);
    } finally {
      await issuer.close();
    }
  },
};
