import { endKey, endSigning, type KeyEnd } from '@catalog/server/registry/signing/change-keys';
import { signStored } from '@catalog/server/registry/signing/sign-stored';
import { useRegistry } from '@catalog/server/use-registry';
import type { CommandInput } from '../../../command/definition.ts';
import type { CommandResult, Session } from '../../../command/session.ts';
import { usageError } from '../../../command/usage-errors.ts';
import { count } from '../../../output/text.ts';
import { parseTime } from '../../parse-time.ts';
import { readSettings } from '../read-settings.ts';
import type { adminKeysRetireDefinition } from './definition.ts';
import { requireSigner } from './require-signer.ts';
import { openRootKey } from './root-key.ts';

type Input = CommandInput<typeof adminKeysRetireDefinition>;

const COMMAND = 'admin keys retire';

export async function run(
  { flags, arguments: { key: named } }: Input,
  session: Session,
): Promise<CommandResult> {
  const settings = readSettings(flags, COMMAND, session);
  const root = openRootKey(flags['root-key'], session);
  if (flags.all) {
    if (named !== undefined) throw either();
    await useRegistry(settings, (registry) =>
      endSigning(registry, { signer: requireSigner(registry), root }),
    );
    return {
      lines: [
        'Retired all keys: the registry no longer signs.',
        'Next: remove sign and sign_key_path from the configuration, and restart the servers.',
      ],
      json: { signing: 'ended' },
    };
  }
  if (named === undefined) throw either();
  const end = readEnd(flags);
  const { key, signed } = await useRegistry(settings, async (registry) => {
    const signer = requireSigner(registry);
    const done = await endKey(registry, { signer, root }, named, end);
    if (end.ended === 'retired') return { ...done, signed: 0 };
    const onProgress = (all: number): void => session.progress(`Signed ${count(all, 'version')}`);
    const again = await signStored(registry, signer, onProgress, session.signal);
    return { ...done, signed: again.signed };
  });
  const again = end.ended === 'revoked' ? [`Signed ${count(signed, 'version')} again`] : [];
  return {
    lines: [
      `The key ${key.key_id} is ${end.ended} since ${key.ended_at ?? ''}`,
      ...again,
      'Next: remove its file from sign_key_path, and restart the servers.',
    ],
    json: { key_id: key.key_id, ended: end.ended, ended_at: key.ended_at, signed },
  };
}

function readEnd({ revoke, since }: Input['flags']): KeyEnd {
  if (!revoke) {
    if (since === undefined) return { ended: 'retired' };
    throw usageError('--since needs --revoke.', 'Pass --revoke, or omit --since.', {
      command: COMMAND,
      argument: '--since',
    });
  }
  const time = since === undefined ? undefined : parseTime(since);
  if (since === undefined || time !== undefined) return { ended: 'revoked', since: time };
  throw usageError(`--since is not a time: ${since}.`, 'Use `--since 2026-11-01`.', {
    command: COMMAND,
    argument: '--since',
  });
}

function either(): Error {
  return usageError('Pass either a key or --all.', 'List keys with `catalog admin keys list`.', {
    command: COMMAND,
    argument: 'key',
  });
}
