import { loadArtifactTool } from './load-artifact.ts';
import { loadDomainTool } from './load-domain.ts';
import { searchArtifactsTool } from './search-artifacts.ts';
import { searchDomainsTool } from './search-domains.ts';
import type { Tool } from './tool.ts';

/** Tools of the server. There are no batches, which are for programs and not for models (BATCH-10). */
export const tools: readonly Tool[] = [
  loadDomainTool,
  searchDomainsTool,
  searchArtifactsTool,
  loadArtifactTool,
];
