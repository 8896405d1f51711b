import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { canonicalTools, given } from '../../adopt/agent-keys-back.ts';
import { TOOLS } from './agent-text.ts';

/** What Droid has in forms of its own. */
export const droidReaders: AdoptReaders = {
  agent: readAgent,
  hook: { matchers: 'searched' },
};

function readAgent({ values, body }: ProductDocument): Reading {
  const { name: _name, tools, model, reasoningEffort: effort, ...kept } = values;
  const changes: string[] = [];
  if (effort !== undefined) changes.push('reasoningEffort is effort_hint');
  return {
    values: {
      ...kept,
      ...(model === 'inherit' ? {} : given('model', model)),
      ...given('effort_hint', effort),
      ...canonicalTools(tools, TOOLS, changes),
    },
    body,
    changes,
  };
}
