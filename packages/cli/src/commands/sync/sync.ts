import { askTrust } from './ask-trust.ts';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config, ConfigFlags } from '@catalog/consumer/config/types';
import type { SyncOptions } from '@catalog/consumer/sync/sync-options';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { toAcceptOptions, toConfigFlags, toConfigInput } from '../config-flags.ts';
import type { syncDefinition } from './definition.ts';
import { changedIn, deliver, noteWaiting } from './deliver.ts';
import { renderQuietly, renderRemoval, renderReport } from './render-report.ts';

type Input = CommandInput<typeof syncDefinition>;

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const { flags } = input;
  if (flags.poll && !flags.watch) {
    throw usageError('--poll requires --watch.', 'Add --watch.', {
      command: 'sync',
      argument: '--poll',
    });
  }
  if (flags['trust-lock'] && !flags.locked) {
    throw usageError('--trust-lock requires --locked.', 'Add --locked.', {
      command: 'sync',
      argument: '--trust-lock',
    });
  }
  const configInput = toConfigInput(session, toSyncFlags(flags));
  if (flags.watch) {
    const { watchAndSync } = await import('./watch-and-sync.ts');
    return watchAndSync(() => loadConfig(configInput), flags, session);
  }
  const config = loadConfig(configInput);
  if (flags.remove) return remove(config, flags, session);
  const render = flags.quiet ? renderQuietly : renderReport;
  const { locked, trust, yes, verbose } = flags;
  const options = {
    mode: modeOf(flags),
    locked,
    trust,
    yes,
    render,
    verbose,
    ignore_runtime: flags['ignore-runtime'],
    strict: flags.strict,
    release: readRelease(flags.release),
    take_over: flags['take-over'],
    recover: flags.recover,
    allow_removal: flags['allow-removal'],
    accept_identity: flags['accept-identity'],
    approve: flags.approve,
    trust_lock: flags['trust-lock'],
    ...toAcceptOptions(flags),
  };
  if (flags.config !== undefined) {
    const { env, note } = session;
    return deliver(config, { ...options, marketplaces: { env, onLine: note } }, session);
  }
  noteMarketplaces(config, session);
  return deliver(config, options, session);
}

function readRelease(given: string | true | undefined): SyncOptions['release'] {
  if (given === undefined) return undefined;
  const ids = given === true ? [] : given.split(',').map((id) => id.trim());
  return { ids: ids.filter((id) => id !== '') };
}

/** Prints that a plain sync skips marketplaces, because publishing must be explicit. */
function noteMarketplaces({ marketplaces }: Config, session: Session): void {
  if (marketplaces.length === 0) return;
  const ids = marketplaces.map(({ id }) => id).join(', ');
  session.note(`Skipped marketplaces: ${ids}. To publish them, run \`catalog sync --config\`.`);
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

async function remove(
  config: Config,
  flags: Input['flags'],
  session: Session,
): Promise<CommandResult> {
  const { removeAll } = await import('@catalog/consumer/sync/remove');
  const report = await removeAll(
    config,
    {
      dry_run: flags['dry-run'],
      marketplaces: flags.config !== undefined,
      trust: flags.trust,
      confirmTrust: askTrust(session),
      onWait: (holder) => noteWaiting(holder, session),
    },
    session.signal,
  );
  const lines = flags.quiet
    ? []
    : renderRemoval(report, flags['dry-run'], { config, verbose: flags.verbose, ...session });
  const error = changedIn(report);
  return error === undefined ? { lines, json: report } : { lines, json: report, error };
}
