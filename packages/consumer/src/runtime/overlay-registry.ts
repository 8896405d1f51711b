import { matchesPin, parsePin } from '@catalog/core/version/pin';
import type { OverlayContent } from './open-overlay.ts';
import { mapWithOverlay } from './overlay-map.ts';
import { searchDomainsWithOverlay, searchWithOverlay } from './overlay-search.ts';
import { createServedCheck } from './remember-served.ts';
import type { LoadedArtifact, RuntimeRegistry } from './runtime-registry.ts';

export function openOverlayRegistry(
  served: RuntimeRegistry,
  readOverlay: (signal?: AbortSignal) => Promise<OverlayContent | undefined>,
): RuntimeRegistry {
  const isServed = createServedCheck(served);
  return {
    loadDomain: async (input, signal) => {
      const overlay = await readOverlay(signal);
      if (overlay === undefined) return served.loadDomain(input, signal);
      return mapWithOverlay(overlay, served, input, signal);
    },
    searchDomains: async (input, signal) => {
      const overlay = await readOverlay(signal);
      if (overlay === undefined) return served.searchDomains(input, signal);
      return searchDomainsWithOverlay(overlay, served, input, signal);
    },
    searchArtifacts: async (input, signal) => {
      const overlay = await readOverlay(signal);
      if (overlay === undefined) return served.searchArtifacts(input, signal);
      return searchWithOverlay(overlay, served, isServed, input, signal);
    },
    loadArtifact: async (input, signal) => {
      const { id, version = '' } = input;
      const artifact = (await readOverlay(signal))?.artifacts.get(id);
      // The version of the overlay may not match the pin (SPEC-21).
      if (artifact === undefined || !matchesPin(parsePin(version), artifact)) {
        return served.loadArtifact(input, signal);
      }
      return toLoaded(artifact);
    },
  };
}

function toLoaded(artifact: LoadedArtifact['artifact']): LoadedArtifact {
  const { layer, fields } = artifact;
  const { deprecated = false, replaced_by } = fields;
  return {
    artifact,
    layer,
    overlay: true,
    deprecated,
    ...(replaced_by === undefined ? {} : { replaced_by }),
  };
}
