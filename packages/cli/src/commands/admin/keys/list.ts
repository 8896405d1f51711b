import type { PublishedKey } from '@catalog/core/signing/key-set';
import { readPublicKey } from '@catalog/core/signing/ed25519';
import { listKeys, type ListedKeys } from '@catalog/server/registry/signing/list-keys';
import { useRegistry } from '@catalog/server/use-registry';
import type { CommandInput } from '../../../command/definition.ts';
import type { CommandResult, Session } from '../../../command/session.ts';
import { alignColumns, type Line } from '../../../output/text.ts';
import { readSettings } from '../read-settings.ts';
import type { adminKeysListDefinition } from './definition.ts';

type Input = CommandInput<typeof adminKeysListDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const settings = readSettings(flags, 'admin keys list', session);
  const listed = await useRegistry(settings, listKeys);
  const { set, available } = listed;
  const root = set?.root_key == null ? undefined : readPublicKey(set.root_key)?.key_id;
  return {
    lines: describe(listed, root),
    json: {
      signing: set?.signing ?? 'unannounced',
      expires_at: set?.expires_at ?? null,
      root_key: root ?? null,
      keys: (set?.keys ?? []).map((key) => ({ ...key, available: available.includes(key.key_id) })),
      unpublished: available.filter((id) => !set?.keys.some(({ key_id }) => key_id === id)),
    },
  };
}

function describe({ set, available }: ListedKeys, root: string | undefined): Line[] {
  if (set === undefined) {
    return [
      'Signing is not announced.',
      ...available.map((key_id) => `${key_id}  in sign_key_path`),
      'Next: set `sign`, restart the servers, and run `catalog admin sign --all`.',
    ];
  }
  const rows = set.keys.map((key) => [
    key.key_id,
    stateOf(key, available),
    key.expires_at === null ? '' : `expires ${key.expires_at}`,
  ]);
  return [
    ...alignColumns(rows),
    ...(root === undefined ? [] : [`root key ${root}`]),
    `The key set expires ${set.expires_at}.`,
    ...(set.signing === 'ended' ? ['Signing was turned off.'] : []),
  ];
}

function stateOf({ key_id, ended, ended_at }: PublishedKey, available: readonly string[]): string {
  if (ended !== null) return `${ended} ${ended_at ?? ''}`;
  if (available[0] === key_id) return 'signs';
  return available.includes(key_id) ? 'in use' : 'in use, no private key here';
}
