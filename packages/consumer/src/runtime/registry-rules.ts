import type { AnnouncedContentRule } from '@catalog/contract/records/discovery';
import { openViewReader, type ViewOptions } from '../source/served-view.ts';

/** Returns the policy for executable content that a registry announces. */
export type RegistryRules = (signal?: AbortSignal) => Promise<readonly AnnouncedContentRule[]>;

/**
 * Reads the policy from the manifest, which is cached: as long as it does not change, a request
 * transfers no body. If it cannot be read, everything needs approval.
 */
export function openRegistryRules(options: ViewOptions): RegistryRules {
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
