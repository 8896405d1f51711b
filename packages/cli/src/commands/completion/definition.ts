import type { CommandDefinition } from '../../command/definition.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export const completionDefinition = {
  name: 'completion',
  section: 'About',
  summary: 'Print a script that completes commands, flags and harness names.',
  description: [],
  arguments: [{ name: 'shell', summary: 'Your shell.', required: true, values: SHELLS }],
  flags: {},
  examples: [
    { command: 'source <(catalog completion bash)', summary: 'in ~/.bashrc' },
    { command: 'source <(catalog completion zsh)', summary: 'in ~/.zshrc, after compinit' },
    {
      command: 'catalog completion fish > ~/.config/fish/completions/catalog.fish',
      summary: 'once, for fish',
    },
  ],
} as const satisfies CommandDefinition;
