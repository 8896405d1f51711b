import type { AdoptReaders } from '../../adopt/adopt-source.ts';
import { readMdcRule } from '../harness-d/read-rule.ts';

/** What Cursor has in forms of its own. */
export const cursorReaders: AdoptReaders = {
  hook: { matchers: 'searched' },
  rule: readMdcRule,
  prose: ['.cursorrules', 'AGENTS.md'],
};
