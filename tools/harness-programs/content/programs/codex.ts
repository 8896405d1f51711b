import { codexHome, runCodex } from '../../programs/codex.ts';
import type { ContentProgram } from '../content-program.ts';

export const codex: ContentProgram = {
  name: 'codex',
  prepareHome: codexHome,
  prompt: async (session, text) => {
    // The namespace is the sandbox; the sandbox of Codex does not start inside it.
    const trusting = [
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
    ];
    await runCodex(session, ['exec', '--json', ...trusting, text]);
  },
  shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  read: (path) => ({ name: 'exec_command', input: { cmd: `cat ${path}` } }),
  write: (path) => ({ name: 'exec_command', input: { cmd: `echo x > ${path}` } }),
  mcp: { name: 'look', namespace: 'mcp__local', input: {} },
  agent: (agent_type, message) => [
    { name: 'spawn_agent', namespace: AGENTS, input: { agent_type, message } },
    {
      name: 'wait_agent',
      namespace: AGENTS,
      input: {},
      inputFor: (body) => ({ targets: [startedAgent(body)], timeout_ms: 60_000 }),
    },
  ],
};

const AGENTS = 'multi_agent_v1';

/** The id is in JSON within JSON. */
function startedAgent(body: unknown): string {
  return [...JSON.stringify(body).matchAll(/agent_id\W+([\w-]+)/g)].at(-1)?.[1] ?? '';
}
