import { loadDomain } from '@catalog/contract/endpoints/discovery';
import { domainMap } from '@catalog/contract/records/discovery';
import { markRecord, untrustedData } from '../untrusted-data.ts';
import { inSession } from './in-session.ts';
import { offline } from './offline.ts';
import { defineTool, READ_ONLY_ANNOTATIONS } from './tool.ts';

export const loadDomainTool = defineTool({
  name: 'load_domain',
  title: 'Browse the map of the catalog',
  description: [
    'Shows the content of the catalog below a path: its domains and notable artifacts.',
    'Use it to get an overview, or to browse near something you found; without a path it starts at the root.',
    'It returns the domain with its description, `subdomains`, and `notable` artifacts (id, type, summary), not their content.',
    'Continue with load_domain on a subdomain or with a greater `depth`, with search_artifacts and `scope` for artifacts that are not listed, and with load_artifact on an id you want to use.',
  ].join(' '),
  annotations: READ_ONLY_ANNOTATIONS,
  input: loadDomain.query,
  output: domainMap.extend({ ...untrustedData, ...offline }),
  run: async ({ path, depth, session_id }, { registry, signal }) => {
    const request = { path, ...(depth === undefined ? {} : { depth }), ...inSession(session_id) };
    return markRecord({ ...(await registry.loadDomain(request, signal)) });
  },
});
