import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { canonicalTools, given } from '../../adopt/agent-keys-back.ts';
import { TOOLS } from './agent-text.ts';

/** What Copilot has in forms of its own. */
export const copilotReaders: AdoptReaders = {
  agent: readAgent,
  rule: readInstructions,
  prose: ['.github/copilot-instructions.md', 'AGENTS.md'],
};

function readAgent({ values, body }: ProductDocument): Reading {
  const { name: _name, tools, ...kept } = values;
  const changes: string[] = [];
  return { values: { ...kept, ...canonicalTools(tools, TOOLS, changes) }, body, changes };
}

/** Without `applyTo` the model goes by the description, and without that somebody must name it. */
function readInstructions({ values, body }: ProductDocument): Reading {
  const { applyTo, description, ...kept } = values;
  const globs = typeof applyTo === 'string' ? applyTo.trim() : '';
  const described = typeof description === 'string' && description !== '';
  const unasked = described
    ? { rule_mode: 'auto', rule_description: description }
    : { rule_mode: 'explicit' };
  const asked = globs === '**' ? { rule_mode: 'always' } : { rule_mode: 'glob', rule_globs: globs };
  const mode = globs === '' ? unasked : asked;
  return { values: { ...given('description', description), ...kept, ...mode }, body, changes: [] };
}
