import { searchDomains } from '@catalog/contract/endpoints/discovery';
import { domainSearchResponse } from '@catalog/contract/records/discovery';
import { inSession } from './in-session.ts';
import { offline } from './offline.ts';
import { defineTool, LOOKS_AROUND } from './tool.ts';

export const searchDomainsTool = defineTool({
  name: 'search_domains',
  title: 'Find an area of the catalog',
  description: [
    'Finds domains (areas) of the catalog by what their authors say of them.',
    'Use it when you know the subject but not where it lives; to find one thing to use, search_artifacts is the shorter way.',
    'You get `domains` with path, name, description and score, the best first.',
    'Go on with load_domain on a path, or give the path to search_artifacts as `scope`.',
  ].join(' '),
  annotations: LOOKS_AROUND,
  input: searchDomains.query,
  output: domainSearchResponse.extend(offline),
  run: async ({ session_id, ...args }, { registry, signal }) => {
    const asked = { ...args, ...inSession(session_id) };
    return { ...(await registry.searchDomains(asked, signal)) };
  },
});
