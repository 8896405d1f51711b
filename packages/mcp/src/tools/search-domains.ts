import { searchDomains } from '@catalog/contract/endpoints/discovery';
import { domainSearchResponse } from '@catalog/contract/records/discovery';
import { markRecord, untrustedData } from '../untrusted-data.ts';
import { inSession } from './in-session.ts';
import { offline } from './offline.ts';
import { defineTool, READ_ONLY_ANNOTATIONS } from './tool.ts';

export const searchDomainsTool = defineTool({
  name: 'search_domains',
  title: 'Find an area of the catalog',
  description: [
    'Finds domains (areas) of the catalog by name, description, and keywords.',
    'Use it if you know the subject but not the domain; to find a single artifact, use search_artifacts.',
    'It returns `domains` with path, name, description, and score, best first.',
    'Continue with load_domain on a path, or pass the path to search_artifacts as `scope`.',
  ].join(' '),
  annotations: READ_ONLY_ANNOTATIONS,
  input: searchDomains.query,
  output: domainSearchResponse.extend({ ...untrustedData, ...offline }),
  run: async ({ session_id, ...args }, { registry, signal }) => {
    const request = { ...args, ...inSession(session_id) };
    return markRecord({ ...(await registry.searchDomains(request, signal)) });
  },
});
