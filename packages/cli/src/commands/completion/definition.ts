import type { CommandDefinition } from '../../command/definition.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export const completionDefinition = {
  name: 'completion',
  section: 'Other',
  summary: 'Print a shell completion script.',
  description: [],
  arguments: [{ name: 'shell', summary: 'Shell.', required: true, values: SHELLS }],
  flags: {},
  examples: [
    { command: 'source <(catalog completion bash)', summary: 'add to ~/.bashrc' },
    { command: 'source <(catalog completion zsh)', summary: 'add to ~/.zshrc, after compinit' },
    {
      command: 'catalog completion fish > ~/.config/fish/completions/catalog.fish',
      summary: 'run once for fish',
    },
  ],
} as const satisfies CommandDefinition;
