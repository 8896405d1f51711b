import { loadConfig } from '@catalog/consumer/config/load-config';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { toAcceptOptions, toConfigFlags, toConfigInput } from '../config-flags.ts';
import { deliver } from '../sync/deliver.ts';
import { renderUpdate } from '../sync/render-report.ts';
import type { updateDefinition } from './definition.ts';

export function run(
  input: CommandInput<typeof updateDefinition>,
  session: Session,
): Promise<CommandResult> {
  const config = loadConfig(toConfigInput(session, toConfigFlags(input.flags)));
  const ids = input.arguments.id;
  return deliver(
    config,
    {
      mode: 'sync',
      keep_toggles: true,
      ignore_runtime: input.flags['ignore-runtime'],
      render: renderUpdate,
      verbose: input.flags.verbose,
      approve: input.flags.approve,
      ...toAcceptOptions(input.flags),
      ...(ids.length === 0 ? {} : { update: ids }),
    },
    session,
  );
}
