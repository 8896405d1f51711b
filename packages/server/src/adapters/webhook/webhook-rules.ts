import { parseAllowedTarget } from '@catalog/core/network/allowed-target';
import type { EgressRules } from '../egress/check-address.ts';

/**
 * Returns the egress rules for receivers: the operator's proxy and certificate authorities, and the private targets
 * that the operator allows for webhooks.
 */
export function toWebhookRules(
  { proxy, ca_file }: EgressRules,
  allowed_targets: readonly string[],
): EgressRules {
  const targets = allowed_targets.map(parseAllowedTarget);
  return {
    proxy,
    ca_file,
    allowed_hosts: targets.flatMap((target) => (target?.kind === 'host' ? target.host : [])),
    allowed_networks: targets.flatMap((target) =>
      target?.kind === 'network' ? target.network : [],
    ),
  };
}
