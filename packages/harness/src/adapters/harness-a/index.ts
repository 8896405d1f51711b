import type { HarnessAdapter } from '../../adapter.ts';
import { placeAgent } from './agent.ts';
import { capabilities, fallbacks } from './capabilities.ts';
import { placeCommand } from './command.ts';
import { placeContext } from './context.ts';
import { placeExtension } from './extension.ts';
import { hookEvents } from './hook-events.ts';
import { placeHook } from './hook.ts';
import { placeMcpServer } from './mcp-server.ts';
import { placeRule } from './rule.ts';
import { placeSkill } from './skill.ts';

/** The terminal coding agent. */
export const harnessA: HarnessAdapter = {
  id: 'harness-a',
  summary: 'terminal coding agent: .harness-a/, .mcp.json',
  label: 'harness-a',
  revision: 1,
  detect: ['.harness-a'],
  capabilities,
  fallbacks,
  hook_events: hookEvents,
  place: {
    skill: placeSkill,
    agent: placeAgent,
    context: placeContext,
    command: placeCommand,
    rule: placeRule,
    hook: placeHook,
    'mcp-server': placeMcpServer,
    extension: placeExtension,
  },
};
