import type { DiscoverySettings, MergedDomain } from './merge-domains.ts';

export interface Discovery extends Required<DiscoverySettings> {
  /** True if the `DOMAIN.md` of a domain may override these settings. */
  allow_per_domain_overrides: boolean;
}

export const DEFAULT_DISCOVERY: Discovery = {
  max_depth: 3,
  fold_below_artifacts: 0,
  fold_passthrough_chains: true,
  notable_count: 10,
  target_response_tokens: 4000,
  allow_per_domain_overrides: true,
};

/** Maximum values in a `DOMAIN.md`, because they affect response times for all readers. */
const CEILINGS = {
  max_depth: 10,
  notable_count: 100,
  target_response_tokens: 32_000,
  fold_below_artifacts: 100,
} as const;
const CEILED = [
  'max_depth',
  'notable_count',
  'target_response_tokens',
  'fold_below_artifacts',
] as const;

/** Combines the settings of the registry with those of a domain, if it may override them. */
export function resolveDiscovery(
  registry: Partial<Discovery>,
  domain: MergedDomain | undefined,
): Discovery {
  const settings = { ...DEFAULT_DISCOVERY, ...registry };
  if (!settings.allow_per_domain_overrides || domain === undefined) return settings;
  const own = { ...settings, ...domain.settings };
  for (const key of CEILED) {
    own[key] = Math.min(own[key], Math.max(settings[key], CEILINGS[key]));
  }
  // A budget of 0 would show nothing, so it counts as missing.
  own.target_response_tokens ||= settings.target_response_tokens;
  return own;
}
