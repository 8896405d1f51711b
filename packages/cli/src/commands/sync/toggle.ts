import { loadConfig } from '@catalog/consumer/config/load-config';
import type { FlagValues } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import {
  toConfigFlags,
  toConfigInput,
  type CONFIG_FLAGS,
  type RUNTIME_FLAGS,
} from '../config-flags.ts';
import { deliver } from './deliver.ts';

/** Delivers with one artifact switched on or off, until the next plain sync (decision 45). */
export function deliverToggled(
  toggle: { id: string; state: 'enable' | 'disable' },
  flags: FlagValues<typeof CONFIG_FLAGS & typeof RUNTIME_FLAGS>,
  session: Session,
): Promise<CommandResult> {
  const config = loadConfig(toConfigInput(session, toConfigFlags(flags)));
  const ignore_runtime = flags['ignore-runtime'];
  return deliver(config, { mode: 'sync', toggle, keep_toggles: true, ignore_runtime }, session);
}
