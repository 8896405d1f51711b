import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { canonicalTools, given } from '../../adopt/agent-keys-back.ts';
import { TOOLS } from './agent-text.ts';

/** Reads Junie's agents, and the files of guidelines it reads in addition to `AGENTS.md`. */
export const junieReaders: AdoptReaders = {
  agent: readAgent,
  prose: ['.junie/AGENTS.md', '.junie/guidelines.md'],
};

function readAgent({ values, body }: ProductDocument): Reading {
  const { name: _name, tools, reasoningLevel, effort, ...kept } = values;
  const changes: string[] = [];
  // `effort` is an alias, and wins where both are given.
  const level = effort ?? reasoningLevel;
  if (level !== undefined) changes.push('reasoningLevel is effort_hint');
  return {
    values: { ...kept, ...given('effort_hint', level), ...canonicalTools(tools, TOOLS, changes) },
    body,
    changes,
  };
}
