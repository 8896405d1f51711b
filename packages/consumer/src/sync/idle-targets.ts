import { isOfTarget } from '../config/configured-target.ts';
import type { Config } from '../config/types.ts';

export function idleTargets(
  config: Pick<Config, 'targets' | 'configured_targets'>,
): (target: string) => boolean {
  const idle = config.configured_targets.filter(
    (listed) => !config.targets.some(({ id }) => isOfTarget(id, listed)),
  );
  return (target) => idle.some((listed) => isOfTarget(target, listed));
}
