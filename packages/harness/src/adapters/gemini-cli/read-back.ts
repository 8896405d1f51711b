import type {
  AdoptReaders,
  SkippedContent,
  ProductDocument,
  Reading,
} from '../../adopt/adopt-source.ts';
import { canonicalServers, canonicalTools, given } from '../../adopt/agent-keys-back.ts';
import { agentServerEntry } from './mcp-servers.ts';
import { TOOLS } from './tool-names.ts';

const MILLISECONDS = 1000;

export const geminiCliReaders: AdoptReaders = {
  agent: readAgent,
  command: readPrompt,
  hook: { seconds: (timeout) => timeout / MILLISECONDS, matchers: 'searched' },
  imported_prose: { path: 'AGENTS.md', reads_alone: false },
  imports: true,
};

function readAgent({ values, body }: ProductDocument): Reading | SkippedContent {
  const { name: _name, display_name: _shown, kind, tools, mcp_servers, ...kept } = values;
  if (kind === 'remote') return { left: 'it runs elsewhere; there is no artifact for that' };
  const changes: string[] = [];
  return {
    values: {
      ...kept,
      ...canonicalTools(tools, TOOLS, changes),
      ...canonicalServers(mcp_servers, agentServerEntry, changes),
    },
    body,
    changes,
  };
}

export function readPrompt({ values }: ProductDocument): Reading | SkippedContent {
  const { prompt, description, ...kept } = values;
  if (typeof prompt !== 'string') return { left: 'it has no prompt' };
  return {
    values: { ...given('description', description), ...kept },
    body: prompt,
    changes: ['prompt is its prose'],
  };
}
