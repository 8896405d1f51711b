import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { unknownCommand } from '../../command/usage-errors.ts';
import type { helpDefinition } from './definition.ts';
import {
  renderCommandHelp,
  renderGroupHelp,
  renderRootHelp,
  renderShortHelp,
} from './render-help.ts';

export function run(
  input: CommandInput<typeof helpDefinition>,
  { definitions }: Session,
): CommandResult {
  const words = input.arguments.command;
  const topic = words.join(' ');
  if (topic === '' || input.flags.all) {
    const lines = input.flags.all ? renderRootHelp(definitions) : renderShortHelp(definitions);
    return { lines, json: { commands: definitions } };
  }
  const definition = definitions.find(({ name }) => name === topic);
  if (definition !== undefined) {
    return { lines: renderCommandHelp(definition, definitions), json: definition };
  }
  const members = definitions.filter(({ name }) => name.startsWith(`${topic} `));
  if (members.length === 0) throw unknownCommand(words, definitions);
  return { lines: renderGroupHelp(topic, definitions), json: { commands: members } };
}
