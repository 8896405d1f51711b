import type { EffectiveView } from '@catalog/contract/records/access';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { adminShowEffectiveDefinition } from './access-definition.ts';

type Input = CommandInput<typeof adminShowEffectiveDefinition>;

export async function run(
  { flags, arguments: { user } }: Input,
  session: Session,
): Promise<CommandResult> {
  const { group, email } = flags;
  const view = await loadRegistryServer(session, flags).showEffective(
    {
      user_id: user,
      ...(group === undefined ? {} : { group }),
      ...(email === undefined ? {} : { email }),
    },
    session.signal,
  );
  return { lines: renderView(view), json: view };
}

function renderView({ user_id, groups, layers }: EffectiveView): Line[] {
  const known = groups.length === 0 ? 'no groups' : `groups ${groups.join(', ')}`;
  if (layers.length === 0) {
    return [
      `${user_id} (${known}): the registry has no layers.`,
      'To register one, run `catalog layer register base --local-path ./artifacts`.',
    ];
  }
  const seen = layers.filter(({ visible }) => visible).length;
  const header = ['layer', 'can read', 'reason'].map((title): Line => [styled('bold', title)]);
  const rows = layers.map(({ layer_id, visible, reason }): Line[] => [
    layer_id,
    [visible ? styled('green', 'yes') : styled('dim', 'no')],
    reason,
  ]);
  return [
    `${user_id} (${known}) can read ${seen} of ${count(layers.length, 'layer')}`,
    ...alignColumns([header, ...rows]),
  ];
}
