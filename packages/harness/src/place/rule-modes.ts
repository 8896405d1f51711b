import type { RuleMode } from '@catalog/core/artifact/types';
import type { Fallback } from '../landing.ts';

/** Returns the support of modes for a harness that always reads all rules. */
export function alwaysLoadedModes(
  harness: string,
  file: string,
): Readonly<Record<RuleMode, 'native' | Fallback>> {
  const fallback = `${harness} has no rules of this mode, so the rule is in ${file} and is loaded always`;
  return { always: 'native', glob: { fallback }, auto: { fallback }, explicit: { fallback } };
}
