import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config, ConfigFlags } from '@catalog/consumer/config/types';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import type { syncDefinition } from './definition.ts';
import { deliver, noteWaiting, toResult } from './deliver.ts';

type Input = CommandInput<typeof syncDefinition>;

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const { flags } = input;
  if (flags.poll && !flags.watch) {
    throw usageError('--poll only means something with --watch.', 'Add --watch.', {
      command: 'sync',
      argument: '--poll',
    });
  }
  const configInput = toConfigInput(session, toSyncFlags(flags));
  if (flags.watch) {
    const { keepDelivering } = await import('./keep-delivering.ts');
    return keepDelivering(() => loadConfig(configInput), flags, session);
  }
  const config = loadConfig(configInput);
  const result = flags.remove
    ? await remove(config, flags['dry-run'], session)
    : await deliver(config, { mode: modeOf(flags), locked: flags.locked }, session);
  return flags.quiet ? { ...result, lines: [] } : result;
}

function toSyncFlags(flags: Input['flags']): ConfigFlags {
  const clash = flags['on-clash'];
  return {
    ...toConfigFlags(flags),
    ...(flags['skip-unsupported'] ? { unsupported: 'skip' } : {}),
    ...(clash === undefined ? {} : { on_clash: clash }),
  };
}

function modeOf(flags: Input['flags']): 'sync' | 'check' | 'dry-run' {
  if (flags.check) return 'check';
  return flags['dry-run'] ? 'dry-run' : 'sync';
}

async function remove(config: Config, dryRun: boolean, session: Session): Promise<CommandResult> {
  const { removeAll } = await import('@catalog/consumer/sync/remove');
  const report = await removeAll(
    config,
    { dry_run: dryRun, onWait: (holder) => noteWaiting(holder, session) },
    session.signal,
  );
  return toResult(report, config, session);
}
