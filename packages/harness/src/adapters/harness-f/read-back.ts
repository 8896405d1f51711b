import type { AdoptReaders, Left, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { given } from '../../adopt/agent-keys-back.ts';

/** An agent as TOML: what it is told is the prose. */
function readAgent({ values }: ProductDocument): Reading | Left {
  const { name: _name, description, developer_instructions: body, ...kept } = values;
  if (typeof body !== 'string') return { left: 'it has no developer_instructions' };
  const changes = ['developer_instructions is its prose'];
  return { values: { ...given('description', description), ...kept }, body, changes };
}

export const harnessFReaders: AdoptReaders = { agent: readAgent };
