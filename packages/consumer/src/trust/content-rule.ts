import type { CapabilityKind } from '@catalog/core/capabilities/capability';

export const CONTENT_VERDICTS = ['allow', 'ask', 'deny'] as const;

/** What happens to executable content: written, written after approval, or left out. */
export type ContentVerdict = (typeof CONTENT_VERDICTS)[number];

/** One rule of `executable_content`. Absent members match everything. */
export interface ContentRule {
  policy: ContentVerdict;
  /** Absolute path or URL. */
  registry?: string;
  layer?: string;
  kinds?: readonly CapabilityKind[];
}
