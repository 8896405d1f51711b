import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { webhookDeleteDefinition } from './definition.ts';

type Input = CommandInput<typeof webhookDeleteDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  if (!flags.yes && !session.interactive) {
    throw usageError(
      `Deleting ${id} cannot be undone and needs your confirmation.`,
      `To delete it, run \`catalog webhook delete ${id} --yes\`.`,
      { command: 'webhook delete', argument: '--yes' },
    );
  }
  const client = loadRegistryServer(session, flags);
  if (!flags.yes) {
    const { url } = await client.getWebhook(id, session.signal);
    if (!(await confirmDeletion(id, url))) {
      return { lines: [`${id} was not deleted`], json: { deleted: false, id }, exit: 1 };
    }
  }
  await client.deleteWebhook(id, session.signal);
  return { lines: [`Deleted ${id} and its deliveries`], json: { deleted: true, id } };
}

async function confirmDeletion(id: string, url: string): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  const message = escapeControls(`Delete ${id} (${url}) and its deliveries?`);
  return (await confirm({ message, initialValue: false })) === true;
}
