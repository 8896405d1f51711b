import type { EventWatch } from '@catalog/consumer/watch/follow-events';
import { delay } from '@catalog/sdk/patience';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Diagnostics } from '../diagnostics.ts';
import { hostOf, type HostMemory } from '../host.ts';
import type { Surface } from '../surfaces.ts';
import { attachPrompts } from './prompts.ts';
import { attachResources } from './resources.ts';
import { attachSkills } from './skills.ts';
import type { SurfaceRegistry } from './view.ts';

export interface SurfaceServing {
  surfaces: ReadonlySet<Surface>;
  openRuntime: () => Promise<{ registry: SurfaceRegistry }>;
  /** Of a connection; absent where each request stands for itself, and nobody can be told of changes. */
  memory?: HostMemory;
  diagnostics: Diagnostics;
}

/** One ingest is many events; a host is told once. */
const QUIET_MS = 300;
/** How long the first list waits until changes to it would be seen. */
const SUBSCRIBE_MS = 1_000;

/** Offers what was asked for beside the four tools, on a server that is not connected yet. */
export function attachSurfaces(mcp: McpServer, serving: SurfaceServing): McpServer {
  const { surfaces, openRuntime, memory, diagnostics } = serving;
  const follow = memory === undefined ? () => Promise.resolve() : openFollowing(mcp, serving);

  async function open(context: ServerContext): Promise<SurfaceRegistry> {
    const { registry } = await openRuntime();
    // The overlay lies below the folder the host works in; only a handshake's host can be asked for it here.
    if (context.mcpReq.envelope === undefined) await hostOf(context, memory).roots();
    await follow(registry);
    return registry;
  }

  if (surfaces.has('skills')) attachSkills(mcp, open, diagnostics.problem);
  if (surfaces.has('resources')) attachResources(mcp, open, diagnostics.problem);
  if (surfaces.has('prompts')) attachPrompts(mcp, open, diagnostics.problem);
  mcp.server.registerCapabilities(changingCapabilities(serving));
  return mcp;
}

function changingCapabilities({ surfaces, memory }: SurfaceServing): object {
  const listChanged = memory !== undefined;
  return {
    ...(surfaces.has('prompts') ? { prompts: { listChanged } } : {}),
    ...(surfaces.has('skills') || surfaces.has('resources') ? { resources: { listChanged } } : {}),
  };
}

/** Follows the registry from the first list a host asked for until it goes away. */
function openFollowing(
  mcp: McpServer,
  { surfaces }: SurfaceServing,
): (registry: SurfaceRegistry) => Promise<void> {
  let following: { watch: EventWatch | undefined } | undefined;
  let pending: Promise<void> | undefined;

  async function tell(): Promise<void> {
    await delay(QUIET_MS);
    pending = undefined;
    if (!mcp.isConnected()) return following?.watch?.close();
    if (surfaces.has('prompts')) mcp.sendPromptListChanged();
    if (surfaces.has('resources') || surfaces.has('skills')) mcp.sendResourceListChanged();
  }

  return async (registry) => {
    if (following !== undefined) return;
    const watch = registry.follow(() => {
      pending ??= tell();
    });
    following = { watch };
    await Promise.race([watch?.settled, delay(SUBSCRIBE_MS)]);
  };
}
