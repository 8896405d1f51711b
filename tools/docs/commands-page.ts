import {
  GLOBAL_FLAGS,
  SECTIONS,
  type CommandDefinition,
  type FlagDefinition,
} from '../../packages/cli/src/command/definition.ts';
import { definitions } from '../../packages/cli/src/command/table.ts';
import {
  EXIT_CODES,
  flagSummary,
  flagWord,
  usageWords,
} from '../../packages/cli/src/commands/help/render-help.ts';
import { code, fence, page, table } from './markdown.ts';

export function commandsPage(): string {
  return page('Commands', 'packages/cli/src/commands', [
    ...SECTIONS.flatMap((section) => [
      `**${section}**`,
      definitions
        .filter((definition) => definition.section === section)
        .map(
          ({ name, summary }) =>
            `- [${code(`catalog ${name}`)}](#catalog-${name.replaceAll(' ', '-')}): ${summary}`,
        )
        .join('\n'),
    ]),
    '## Flags of every command',
    flagTable(GLOBAL_FLAGS),
    '## Exit codes',
    table(
      ['Exit', 'Meaning'],
      EXIT_CODES.map(([exit, meaning]) => [String(exit), meaning]),
    ),
    ...definitions.flatMap(describe),
  ]);
}

function describe(definition: CommandDefinition): string[] {
  const parts = [
    `## catalog ${definition.name}`,
    definition.summary,
    fence(`catalog ${usageWords(definition)} [flags]`),
    ...definition.description,
  ];
  if (definition.arguments.length > 0) {
    parts.push(
      table(
        ['Argument', 'Meaning'],
        definition.arguments.map((argument) => [
          code(argument.name),
          argument.summary + (argument.values ? ` (one of ${argument.values.join(', ')})` : ''),
        ]),
      ),
    );
  }
  if (Object.keys(definition.flags).length > 0) parts.push(flagTable(definition.flags));
  for (const flags of definition.exclusive ?? []) {
    parts.push(`Only one of ${flags.map((flag) => code(`--${flag}`)).join(', ')} at a time.`);
  }
  if (definition.exit_one !== undefined) parts.push(`Exit 1: ${definition.exit_one}.`);
  const examples = definition.examples.map(({ command, summary }) => `# ${summary}\n${command}`);
  parts.push(fence(examples.join('\n'), 'sh'));
  return parts;
}

function flagTable(flags: Readonly<Record<string, FlagDefinition>>): string {
  return table(
    ['Flag', 'Meaning'],
    Object.entries(flags).map(([name, flag]) => [code(flagWord(name, flag)), flagSummary(flag)]),
  );
}
