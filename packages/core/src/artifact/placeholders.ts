import type { FirstClassType } from './types.ts';

export const PLACEHOLDER_PROSE: Readonly<Record<FirstClassType, string>> = {
  skill: 'Say here what the agent should do, step by step, and when it is done.',
  agent: 'Say here what this agent is responsible for, how it works,\nand what it hands back.',
  context: 'Write here what an agent should know: terms, conventions, facts about the system.',
  command: 'Say here what the agent should do when a person types the command.',
  rule: 'Write here what the agent must always do, or never do, and why.',
  hook: 'Say here what happens on the event, and why.',
  'mcp-server': 'Say here what the server offers, and what it needs to be allowed to do.',
};

const DESCRIPTION_START = 'Say in one sentence what the ';
const DESCRIPTION_END = ' is for and when to use it.';

/** Returns the description of a new artifact. It contains the id, so that two new artifacts differ. */
export function placeholderDescription(type: string, id: string): string {
  return `${DESCRIPTION_START}${type} ${id}${DESCRIPTION_END}`;
}

export function isPlaceholderDescription(description: string): boolean {
  return description.startsWith(DESCRIPTION_START) && description.endsWith(DESCRIPTION_END);
}
