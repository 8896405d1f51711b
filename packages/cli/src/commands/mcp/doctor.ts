import { loadAdapters } from '@catalog/consumer/adapters/load-adapters';
import { isAddress } from '@catalog/consumer/config/is-address';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config } from '@catalog/consumer/config/types';
import {
  approveLaunch,
  startedByUser,
  type ApprovedLaunch,
  type Launch,
} from '@catalog/consumer/trust/approve-launch';
import { requireNamedByUser } from '@catalog/consumer/trust/approve-tokens';
import { loadAdapter } from '@catalog/harness/registry';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { toConfigInput } from '../config-flags.ts';
import { noteWarnings } from '../note-warnings.ts';
import { askTrust } from '../sync/ask-trust.ts';
import type { mcpDoctorDefinition } from './definition.ts';
import { examine } from './doctor/examine.ts';
import { findLaunch, type FoundLaunch } from './doctor/find-launch.ts';
import { reportLines } from './doctor/report-lines.ts';
import { currentSystem } from './current-system.ts';

export async function run(
  { flags, arguments: given }: CommandInput<typeof mcpDoctorDefinition>,
  session: Session,
): Promise<CommandResult> {
  const { harness } = given;
  const found = harness === undefined ? undefined : await find(harness, flags.trust, session);
  const examination = await examine(harness, found, session);
  return {
    lines: reportLines(examination, session),
    json: examination,
    exit: examination.problems.length === 0 ? 0 : 1,
  };
}

async function find(
  harness: string,
  trust: boolean,
  session: Session,
): Promise<FoundLaunch & { launch: ApprovedLaunch }> {
  const config = loadConfig(toConfigInput(session, {}));
  noteWarnings(config, session);
  const options = { trust, confirmTrust: askTrust(session) };
  const known = await loadAdapters(config, options);
  const found = findLaunch(loadAdapter(harness, 'workspace', known), config, currentSystem());
  const { launch, own, scope, file } = found;
  requireTokenForUser(launch, config);
  return {
    ...found,
    launch:
      scope === 'user'
        ? startedByUser(launch)
        : await approveLaunch(launch, { path: file.path, own }, config, options),
  };
}

/**
 * Rejects a token of the environment for a registry that only files of the workspace name. In the environment of the
 * server, it would count as named by the user.
 */
function requireTokenForUser(launch: Launch, config: Config): void {
  const { registry, identity } = config;
  if (identity.token === undefined || !isAddress(registry?.value ?? '')) return;
  if (launch.env['CATALOG_REGISTRY'] === registry?.value) {
    requireNamedByUser(config, identity.token.origin.name);
  }
}
