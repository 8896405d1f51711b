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

export interface ListingRuntime extends Runtime {
  registry: Runtime['registry'] & ArtifactListing;
}

/** Opens the runtime. `roots` returns the folders that the host has listed so far. */
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
  // Shared, so that requests reuse the connection of the sign-in.
  const transport = openNodeTransport(config.proxy);
  const registry = openRuntimeRegistry({
    config,
    transport,
    onKeysTrusted: ({ registry: url, key_ids }) => {
      diagnostics.note(`first use of the signing key of ${url}: ${key_ids.join(', ')}`);
    },
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
    registry: withSignIn(registry, openSignIn(config, transport, diagnostics)),
    materialize: ({ onProgress, ...request }, signal) =>
      materializeLoaded({ ...request, harness }, { ...run, onProgress }, signal),
  };
}

/** Checks for a required sign-in while a request runs. If one is required, the response is discarded. */
function withSignIn<Registry extends RuntimeRegistry>(
  registry: Registry,
  requireSignIn: RequireSignIn,
): Registry {
  async function afterSignInCheck<T>(answer: Promise<T>, signal?: AbortSignal): Promise<T> {
    // A required sign-in takes precedence over an error of the request.
    answer.catch(() => undefined);
    await requireSignIn(signal);
    return answer;
  }

  return {
    ...registry,
    loadDomain: (input, signal) => afterSignInCheck(registry.loadDomain(input, signal), signal),
    searchDomains: (input, signal) =>
      afterSignInCheck(registry.searchDomains(input, signal), signal),
    searchArtifacts: (input, signal) =>
      afterSignInCheck(registry.searchArtifacts(input, signal), signal),
    loadArtifact: (input, signal) => afterSignInCheck(registry.loadArtifact(input, signal), signal),
  } satisfies Registry;
}

interface OverlayPlaces {
  named: string | undefined;
  roots: readonly string[];
  workspace: string;
  /** Throws if a folder is the workspace of another user. */
  refuseForeign: (workspace: string) => void;
}

/** Returns the folder of the overlay, checked on every call (ENV-04). */
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
