import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { findReach, type ReachSetting } from './reach.ts';
import type { Settings } from './settings.ts';

/**
 * Checks a registry that does not authenticate callers. If other machines can reach it, the
 * operator must decide whether callers can change anything (SPEC-92), and allow a bind address
 * beyond loopback (SPEC-2).
 */
export function checkReach(settings: Settings): void {
  if (settings['identity_provider.type'] !== undefined) return;
  const key = findReach(settings);
  if (key === undefined) return;
  const { bind, public_mode, allow_public_bind, open_writes } = settings;
  const why = public_mode ? 'in public mode' : 'without an identity provider';
  if (key === 'bind' && !allow_public_bind) {
    throw new CatalogError(
      'config.public_bind_refused',
      `Cannot bind to ${bind} ${why}: anyone who can reach this port could read and change everything.`,
      {
        details: { bind },
        suggested_action:
          'Bind to a loopback address such as 127.0.0.1:8080, configure an identity provider, or pass --allow-public-bind and set open_writes.',
      },
    );
  }
  if (open_writes !== undefined) return;
  throw new CatalogError(
    'config.public_bind_refused',
    `Cannot ${describe(key, settings)} ${why}: open_writes must state whether callers can change layers.`,
    {
      details: { bind },
      suggested_action:
        'Set open_writes (CATALOG_OPEN_WRITES) to deny, which rejects layer and admin writes, or to allow if another system controls access.',
    },
  );
}

function describe(key: ReachSetting, { bind, public_url, trusted_proxies }: Settings): string {
  if (key === 'bind') return `bind to ${bind}`;
  if (key === 'public_url') return `serve ${public_url}`;
  return `serve clients of the proxy ${trusted_proxies.join(', ')}`;
}
