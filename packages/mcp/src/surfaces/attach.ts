import type { EventWatch } from '@catalog/consumer/watch/follow-events';
import { delay } from '@catalog/sdk/idle-timeout';
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
  /** State of the host; undefined if each request is independent, so that hosts cannot be notified. */
  memory?: HostMemory;
  diagnostics: Diagnostics;
}

/** Delay that combines the events of one ingest into one notification. */
const NOTIFY_DELAY_MS = 300;
/** Maximum wait of the first list for the subscription to changes. */
const SUBSCRIBE_MS = 1_000;

export function attachSurfaces(mcp: McpServer, serving: SurfaceServing): McpServer {
  const { surfaces, openRuntime, memory, diagnostics } = serving;
  const follow = memory === undefined ? () => Promise.resolve() : createFollower(mcp, serving);

  async function open(context: ServerContext): Promise<SurfaceRegistry> {
    const { registry } = await openRuntime();
    // The overlay is in a folder of the host, which only a protocol with a handshake can list here.
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

/** Creates the subscription to changes, which ends when the host disconnects. */
function createFollower(
  mcp: McpServer,
  { surfaces }: SurfaceServing,
): (registry: SurfaceRegistry) => Promise<void> {
  let following: { watch: EventWatch | undefined } | undefined;
  let pending: Promise<void> | undefined;

  async function notifyListChanged(): Promise<void> {
    await delay(NOTIFY_DELAY_MS);
    pending = undefined;
    if (!mcp.isConnected()) return following?.watch?.close();
    if (surfaces.has('prompts')) mcp.sendPromptListChanged();
    if (surfaces.has('resources') || surfaces.has('skills')) mcp.sendResourceListChanged();
  }

  return async (registry) => {
    if (following !== undefined) return;
    const watch = registry.follow(() => {
      pending ??= notifyListChanged();
    });
    following = { watch };
    await Promise.race([watch?.settled, delay(SUBSCRIBE_MS)]);
  };
}
