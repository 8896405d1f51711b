import type { Viewer } from '../cache/manifest-cache.ts';
import { currentViewer } from '../identity/current-viewer.ts';
import { openTokenSource } from '../identity/token-source.ts';
import type { ListVersions } from '../source/catalog-source.ts';
import { connect } from '../source/connect.ts';
import { noRegistry } from '../source/no-registry.ts';
import { type ArtifactListing, openArtifactListing } from './artifact-listing.ts';
import { openListVersions } from './list-versions.ts';
import { openBelow } from './open-below.ts';
import { openOfflineRegistry } from './offline-registry.ts';
import { openOnlineRegistry } from './online-registry.ts';
import { openOverlay } from './open-overlay.ts';
import { openOverlayRegistry } from './overlay-registry.ts';
import { LIMITS, type RuntimeRegistryOptions } from './runtime-options.ts';
import type { RuntimeRegistry } from './runtime-registry.ts';
import { openServedRegistry } from './served-registry.ts';
import type { AnnouncedContentRule } from '@catalog/contract/records/discovery';
import { openSignatureVerifier } from '../signing/signature-verifier.ts';
import { openViewReader, type ViewOptions } from '../source/served-view.ts';

export function openRuntimeRegistry(
  options: RuntimeRegistryOptions,
): RuntimeRegistry &
  ArtifactListing & { listVersions: ListVersions; registryRules: RegistryRules } {
  const { config, limits = LIMITS } = options;
  const mode = options.cache_mode ?? config.cache_mode?.value ?? 'always-revalidate';
  if (config.registry === undefined) throw noRegistry(config);
  const connection = connect({
    registry: config.registry.value,
    proxy: config.proxy,
    cache_mode: mode,
    object_hosts: config.object_hosts?.value ?? [],
    transport: options.transport,
    tokens: openTokenSource(config, { signIn: options.signIn }),
    onReadOnly: options.onReadOnly,
  });
  const { registry } = connection;
  const cache_folder = config.cache.value;
  const viewer = async (signal?: AbortSignal): Promise<Viewer> => ({
    registry,
    subject: await currentViewer(registry, config, signal),
  });
  const verifier = openSignatureVerifier({
    connection,
    signing: config.signing,
    cache_folder,
    home: config.home,
    viewer,
    onKeysTrusted: options.onKeysTrusted,
  });
  const offline = openOfflineRegistry(cache_folder, verifier);
  const online_options = { connection, cache_folder, viewer, limits, verifier };
  const online = openOnlineRegistry(online_options);
  const served = openServedRegistry({ mode, online, offline, viewer });
  const { overlay, onRejected = () => undefined } = options;
  const readOverlay =
    overlay === undefined
      ? () => Promise.resolve(undefined)
      : openOverlay({
          folder: overlay,
          below: openBelow({ ...online_options, offline }),
          onRejected,
        });
  return {
    ...(overlay === undefined ? served : openOverlayRegistry(served, readOverlay)),
    ...openArtifactListing({ ...online_options, mode, offline, readOverlay }),
    listVersions: openListVersions(online_options),
    registryRules: openRegistryRules({
      connection,
      cache_folder,
      min_server_versions: [],
      cache_mode: mode,
      subject: async (signal) => (await viewer(signal)).subject,
    }),
  };
}

type RegistryRules = (signal?: AbortSignal) => Promise<readonly AnnouncedContentRule[]>;

/** Opens the policy of the registry, from its manifest. If it cannot be read, all executable content needs approval. */
function openRegistryRules(options: ViewOptions): RegistryRules {
  const view = openViewReader(options);
  return async (signal) => {
    try {
      const { manifest } = await view.load(signal);
      return manifest.executable_content ?? [];
    } catch {
      signal?.throwIfAborted();
      return [{ policy: 'ask' }];
    }
  };
}
