import { text } from '@catalog/contract/endpoints/arguments';
import { searchArtifacts } from '@catalog/contract/endpoints/discovery';
import {
  searchResponse,
  searchResult,
  type SearchResult,
} from '@catalog/contract/records/discovery';
import { z } from 'zod';
import { markRecord, untrustedData } from '../untrusted-data.ts';
import { inSession } from './in-session.ts';
import { offline } from './offline.ts';
import { defineTool, READ_ONLY_ANNOTATIONS } from './tool.ts';

/** Without the frontmatter, which repeats a result at ten times the length. */
const leanResult = searchResult.omit({ frontmatter: true, explanation: true });

function toLean(result: SearchResult): z.infer<typeof leanResult> {
  const { frontmatter: _, explanation: __, ...lean } = result;
  return lean;
}

export const searchArtifactsTool = defineTool({
  name: 'search_artifacts',
  title: 'Search the catalog',
  description: [
    'Searches the catalog of skills, agents, rules, commands, hooks, context, and MCP servers that your organization has prepared.',
    'Use it before you improvise a procedure, and whenever a task might have a dedicated skill, rule, or reference material.',
    'Describe in plain words what you want to do. It returns `results` with id, type, version, and description, best first: descriptors only, no content.',
    'If nothing fits, use other words, drop `type`, `tags`, or `scope`, or raise `top_k`. Without a query, it lists everything in the scope by id.',
    'Continue with load_artifact on the id you want.',
  ].join(' '),
  annotations: READ_ONLY_ANNOTATIONS,
  input: searchArtifacts.query.omit({ as_admin: true, explain: true }).extend({
    tags: z.array(text).max(64).optional().describe('Only artifacts that have all of these tags.'),
  }),
  output: searchResponse.extend({ results: z.array(leanResult), ...untrustedData, ...offline }),
  run: async ({ tags, session_id, ...args }, { registry, signal }) => {
    const searchInput = {
      ...args,
      ...(tags === undefined ? {} : { tags }),
      ...inSession(session_id),
    };
    const { results, ...answer } = await registry.searchArtifacts(searchInput, signal);
    return markRecord({ ...answer, results: results.map(toLean) });
  },
});
