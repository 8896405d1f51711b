import { compareBytes } from '../artifact/compare-bytes.ts';
import { bytesHash } from '../artifact/content-hash.ts';
import type { ExecutableCapability } from './capability.ts';

/**
 * Returns the key of a capability, `<kind>:sha256:<hex>`. Two capabilities have the same key only if they grant the
 * same thing in the same file. Commands, URLs, values and scripts are hashed.
 */
export function capabilityKey(capability: ExecutableCapability): string {
  return `${capability.kind}:${bytesHash(identity(capability))}`;
}

export function capabilitySetHash(capabilities: readonly ExecutableCapability[]): string {
  const keys = new Set(capabilities.map(capabilityKey));
  return bytesHash([...keys].sort(compareBytes).join('\n'));
}

/** Returns the capabilities in `after` that are new or changed. If there are none, no new approval is needed. */
export function addedCapabilities(
  before: readonly (ExecutableCapability | string)[],
  after: readonly ExecutableCapability[],
): ExecutableCapability[] {
  const known = new Set(
    before.map((entry) => (typeof entry === 'string' ? entry : capabilityKey(entry))),
  );
  return after.filter((capability) => !known.has(capabilityKey(capability)));
}

/** Members for display only. They do not affect the key, because `hash` covers them. */
const DISPLAYED: ReadonlySet<string> = new Set([
  'action',
  'args',
  'headers',
  'matcher',
  'prompt',
  'url',
  'variables',
]);

function identity(capability: ExecutableCapability): string {
  const parts = Object.entries(capability).filter(([name]) => !DISPLAYED.has(name));
  return JSON.stringify(parts.sort(([a], [b]) => compareBytes(a, b)));
}
