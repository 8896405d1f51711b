import { materializeLoaded } from '@catalog/consumer/materialize/materialize-loaded';
import { refuseForeignWorkspace } from '@catalog/consumer/config/refuse-foreign-workspace';
import { workspaceOverlay } from '@catalog/consumer/config/workspace-overlay';
import type { ArtifactListing } from '@catalog/consumer/runtime/artifact-listing';
import { openRuntimeRegistry } from '@catalog/consumer/runtime/open-runtime-registry';
import { openNodeTransport } from '@catalog/consumer/source/node-transport';
import type { McpSettings } from './configure.ts';
import type { Diagnostics } from './diagnostics.ts';
import { loadServedConfig } from './served-config.ts';
import { openSignIn, type RequireSignIn } from './sign-in.ts';
import type { Runtime } from './tools/tool.ts';
import type { RuntimeRegistry } from '@catalog/consumer/runtime/runtime-registry';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What lies behind the tools, and the list of everything for hosts that show one. */
export interface ListingRuntime extends Runtime {
  registry: Runtime['registry'] & ArtifactListing;
}

/** Opens what lies behind the tools. `roots` are the folders the host has named so far. */
export function openRuntime(
  settings: McpSettings,
  roots: () => readonly string[],
  diagnostics: Diagnostics,
): ListingRuntime {
  const { surroundings, harness, materialize_root, write_all, ignore_runtime } = settings;
  const config = loadServedConfig(surroundings);
  const { workspace, overlay, safe_directories } = config;
  const check = { ...surroundings, safe_directories: safe_directories?.value ?? [] };
  const refuseForeign = (folder: string): void => refuseForeignWorkspace(folder, check);
  const named = overlay?.origin.kind === 'env' ? overlay.value : undefined;
  // One for both, so that a question finds the connection that the sign-in has opened.
  const transport = openNodeTransport(config.proxy);
  const registry = openRuntimeRegistry({
    config,
    transport,
    overlay: () => overlayFolder({ named, roots: roots(), workspace, refuseForeign }),
    onRejected: (rejected) => {
      for (const { artifact_id, reason } of rejected) {
        diagnostics.note(`the overlay's ${artifact_id} was left out: ${reason}`);
      }
    },
  });
  const run = {
    surroundings,
    registry: config.registry.value,
    registry_origin: config.registry.origin,
    listVersions: registry.listVersions,
    registryRules: registry.registryRules,
    materialize_root,
    write_all,
    ignore_runtime,
  };
  return {
    registry: askSignedIn(registry, openSignIn(config, transport, diagnostics)),
    materialize: ({ onProgress, ...request }, signal) =>
      materializeLoaded({ ...request, harness }, { ...run, onProgress }, signal),
  };
}

/**
 * A registry that is asked as the person who uses the host. Whether they have to sign in first is found
 * out beside each question, so that nobody waits for it; what nobody was answered is then dropped.
 */
function askSignedIn<Registry extends RuntimeRegistry>(
  registry: Registry,
  requireSignIn: RequireSignIn,
): Registry {
  async function unlessPending<T>(answer: Promise<T>, signal?: AbortSignal): Promise<T> {
    // Who has to sign in first is told that, whatever became of the question.
    answer.catch(() => undefined);
    await requireSignIn(signal);
    return answer;
  }

  return {
    ...registry,
    loadDomain: (input, signal) => unlessPending(registry.loadDomain(input, signal), signal),
    searchDomains: (input, signal) => unlessPending(registry.searchDomains(input, signal), signal),
    searchArtifacts: (input, signal) =>
      unlessPending(registry.searchArtifacts(input, signal), signal),
    loadArtifact: (input, signal) => unlessPending(registry.loadArtifact(input, signal), signal),
  } satisfies Registry;
}

interface OverlayPlaces {
  /** `CATALOG_OVERLAY_PATH`, absolute. */
  named: string | undefined;
  /** The folders the host works in. */
  roots: readonly string[];
  /** The workspace the server was started in. */
  workspace: string;
  /** Throws if a folder is another user's workspace. */
  refuseForeign: (workspace: string) => void;
}

/** The folder whose artifacts stand above the registry's (ENV-04); looked for at every call. */
function overlayFolder({
  named,
  roots,
  workspace,
  refuseForeign,
}: OverlayPlaces): string | undefined {
  if (named !== undefined) return named;
  const places = roots.length > 0 ? roots : [workspace];
  const place = places.find((root) => existsSync(join(root, '.catalog/overlay')));
  if (place === undefined) return undefined;
  refuseForeign(place);
  return workspaceOverlay(place);
}
