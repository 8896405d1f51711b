import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import type { syncDisableDefinition } from './definition.ts';
import { deliverToggled } from './toggle.ts';

export function run(
  { arguments: { id: ids }, flags }: CommandInput<typeof syncDisableDefinition>,
  session: Session,
): Promise<CommandResult> {
  return deliverToggled({ ids, state: 'disable' }, flags, session);
}
