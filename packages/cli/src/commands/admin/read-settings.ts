import { loadSettings } from '@catalog/server/config/load';
import type { Settings } from '@catalog/server/config/settings';
import type { OperationHooks } from '@catalog/server/operations/operation-hooks';
import type { Session } from '../../command/session.ts';
import { readServerConfigFlag } from '../server-config-flag.ts';

export function readSettings(
  flags: { config: string | true | undefined },
  command: string,
  { cwd, home, env }: Session,
): Settings {
  const config = readServerConfigFlag(flags.config, command);
  return loadSettings({ cwd, home, env, flags: {}, config }).settings;
}

export function toHooks({ progress, signal }: Session): OperationHooks {
  return {
    report: ({ step, done }) => progress(`${step.replaceAll('_', ' ')}: ${done}`),
    signal,
  };
}
