import { signStored } from '@catalog/server/registry/signing/sign-stored';
import { useRegistry } from '@catalog/server/use-registry';
import type { CommandInput } from '../../../command/definition.ts';
import type { CommandResult, Session } from '../../../command/session.ts';
import { usageError } from '../../../command/usage-errors.ts';
import { count } from '../../../output/text.ts';
import { readSettings } from '../read-settings.ts';
import type { adminSignDefinition } from './definition.ts';
import { requireSigner } from './require-signer.ts';

type Input = CommandInput<typeof adminSignDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  if (!flags.all) {
    throw usageError('admin sign needs --all.', 'Run `catalog admin sign --all`.', {
      command: 'admin sign',
      argument: '--all',
    });
  }
  const settings = readSettings(flags, 'admin sign', session);
  const { signed, announced } = await useRegistry(settings, (registry) =>
    signStored(
      registry,
      requireSigner(registry),
      (done) => session.progress(`Signed ${count(done, 'version')}`),
      session.signal,
    ),
  );
  return {
    lines: [
      `Signed ${count(signed, 'version')}`,
      announced === undefined ? 'Signing was already announced' : 'Announced signing',
    ],
    json: { signed, announced: announced !== undefined },
  };
}
