export const CONTENT_VERDICTS = ['allow', 'ask', 'deny'] as const;

export type ContentVerdict = (typeof CONTENT_VERDICTS)[number];

/** Absent members match everything. */
export interface ContentRule {
  policy: ContentVerdict;
  /** Absolute path or URL. */
  registry?: string | undefined;
  layer?: string | undefined;
  /** A registry may use kinds that this version does not know. */
  kinds?: readonly string[] | undefined;
}
