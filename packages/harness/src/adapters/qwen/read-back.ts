import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { canonicalTools } from '../../adopt/agent-keys-back.ts';
import { readRule } from '../harness-a/read-rule.ts';
import { TOOLS } from './agent-text.ts';

/** What Qwen Code has in forms of its own. */
export const qwenReaders: AdoptReaders = {
  agent: readAgent,
  // From 1000 on, timeouts are milliseconds.
  hook: {
    seconds: (timeout) => (timeout < 1000 ? timeout : timeout / 1000),
    matchers: 'searched',
  },
  rule: readRule,
  prose: ['QWEN.md', 'AGENTS.md'],
};

function readAgent({ values, body }: ProductDocument): Reading {
  const { name: _name, tools, ...kept } = values;
  const changes: string[] = [];
  return { values: { ...kept, ...canonicalTools(tools, TOOLS, changes) }, body, changes };
}
