import { materializeLoaded } from '@catalog/consumer/materialize/materialize-loaded';
import { refuseForeignWorkspace } from '@catalog/consumer/config/refuse-foreign-workspace';
import type { ArtifactListing } from '@catalog/consumer/runtime/artifact-listing';
import { openRuntimeRegistry } from '@catalog/consumer/runtime/open-runtime-registry';
import { openNodeTransport } from '@catalog/consumer/source/node-transport';
import type { McpSettings } from './configure.ts';
import type { Diagnostics } from './diagnostics.ts';
import { overlayFolder } from './overlay-folder.ts';
import { loadServedConfig } from './served-config.ts';
import { askSignedIn } from './ask-signed-in.ts';
import { openSignIn } from './sign-in.ts';
import type { Runtime } from './tools/tool.ts';

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
