import type { DiscoverySettings, MergedDomain } from './merge-domains.ts';

/** How a map is drawn, with every value decided. */
export interface Discovery extends Required<DiscoverySettings> {
  /** Whether a `DOMAIN.md` may change the others for its domain. */
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

/** The most a `DOMAIN.md` may ask for: whoever writes one decides what every reader waits for. */
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

/** The registry's settings, then the requested domain's own where it may have any. */
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
  // An empty budget would show nothing; who writes it means that there is none of the domain's own.
  own.target_response_tokens ||= settings.target_response_tokens;
  return own;
}
