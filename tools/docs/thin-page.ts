import type { ThinProfile } from '@catalog/harness/adapters/thin-profiles';

type Region = 'landings' | 'otherfiles' | 'tree' | 'odd' | 'sources';

function region(name: Region): string {
  return `<!-- begin ${name}, by ./dev docs -->\n<!-- end ${name} -->`;
}

export function thinPage({ id, tool, also_rules, home_rules }: ThinProfile): string {
  const others = also_rules.map(({ path }) => `\`${path}\``).join(' and ');
  const rules = [
    'Rules are blocks of `AGENTS.md`, between two comments; the rest of that file is yours.',
    ...(others === '' ? [] : [`${tool} also reads ${others}.`]),
    ...(home_rules === undefined
      ? []
      : [`With \`--scope user\`, they are in \`~/${home_rules}\`.`]),
    'Skills are in `.agents/skills`. catalog writes nothing else for this tool.',
  ];
  return [
    `# ${tool}`,
    `This page shows what catalog writes for ${tool}, what works differently there, and how to check the result. The harness id is \`${id}\`.`,
    `\`\`\`sh\ncatalog sync --registry ./artifacts --harness ${id}\n\`\`\``,
    '## Where artifacts go',
    rules.join(' '),
    region('landings'),
    region('otherfiles'),
    '## Example',
    'One artifact of each type produces these files. Unsupported artifacts are left out.',
    region('tree'),
    '## Differences',
    region('odd'),
    '## Check it',
    `Ask ${tool} which instructions and skills it sees.`,
    '## Sources',
    region('sources'),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
