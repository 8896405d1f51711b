import { loadConfig } from '@catalog/consumer/config/load-config';
import { openLocalState } from '@catalog/consumer/lock/local-state';
import { readAcknowledged, writeAcknowledged } from '@catalog/consumer/lock/acknowledged-warnings';
import { runSync } from '@catalog/consumer/sync/run-sync';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { count } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import { noteReadOnly } from '../note-read-only.ts';
import { noteWarnings } from '../note-warnings.ts';
import { askTrust } from '../sync/ask-trust.ts';
import type { warningsDefinition } from './definition.ts';
import { listWarnings, type SyncWarning } from './list-warnings.ts';
import { renderWarningList } from './render-warnings.ts';

export async function run(
  input: CommandInput<typeof warningsDefinition>,
  session: Session,
): Promise<CommandResult> {
  const { flags } = input;
  // Unsupported artifacts are warnings here, not a failure.
  const skipping = { ...toConfigFlags(flags), unsupported: 'skip' as const };
  const config = loadConfig(toConfigInput(session, skipping));
  noteWarnings(config, session);
  const { targets } = await runSync(
    config,
    {
      mode: 'dry-run',
      keep_toggles: true,
      allow_removal: true,
      accept_identity: true,
      ...(flags.config === undefined ? {} : { marketplaces: { env: session.env } }),
      trust: flags.trust,
      confirmTrust: askTrust(session),
      onReadOnly: noteReadOnly(session),
      signIn: signInOnFirstUse(config, session),
    },
    session.signal,
  );
  const ids = new Set(input.arguments.id);
  const warnings = listWarnings(targets, config.home).filter(
    ({ artifact_id }) => ids.size === 0 || (artifact_id !== undefined && ids.has(artifact_id)),
  );
  if (flags.acknowledge || flags.reset) return change(warnings, flags.acknowledge, config.home);
  return {
    lines: warnings.length === 0 ? ['No warnings'] : renderWarningList(warnings),
    json: { warnings: warnings.map(toDocument) },
  };
}

function change(
  warnings: readonly SyncWarning[],
  acknowledged: boolean,
  home: string,
): CommandResult {
  const changed = warnings.filter((warning) => warning.acknowledged !== acknowledged);
  for (const [directory, members] of Map.groupBy(changed, (warning) => warning.directory)) {
    const state = openLocalState(directory, home);
    const hashes = new Set(readAcknowledged(state));
    for (const { hash } of members) {
      if (acknowledged) hashes.add(hash);
      else hashes.delete(hash);
    }
    writeAcknowledged(state, hashes);
  }
  const what = count(changed.length, 'warning');
  return {
    lines: [acknowledged ? `Acknowledged ${what}` : `Reset ${what}`],
    json: { warnings: changed.map((warning) => toDocument({ ...warning, acknowledged })) },
  };
}

function toDocument({ kind, harness, artifact_id, message, hash, acknowledged }: SyncWarning) {
  return {
    kind,
    harness: harness ?? null,
    artifact_id: artifact_id ?? null,
    message,
    hash,
    acknowledged,
  };
}
