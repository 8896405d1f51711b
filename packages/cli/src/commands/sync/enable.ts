import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import type { syncEnableDefinition } from './definition.ts';
import { deliverToggled } from './toggle.ts';

export function run(
  { arguments: { id: ids }, flags }: CommandInput<typeof syncEnableDefinition>,
  session: Session,
): Promise<CommandResult> {
  return deliverToggled({ ids, state: 'enable' }, flags, session);
}
