export const CONTENT_VERDICTS = ['allow', 'ask', 'deny'] as const;

/** What happens to executable content: written, written after approval, or left out. */
export type ContentVerdict = (typeof CONTENT_VERDICTS)[number];

/** One rule of `executable_content`. Absent members match everything. */
export interface ContentRule {
  policy: ContentVerdict;
  /** Absolute path or URL. */
  registry?: string | undefined;
  layer?: string | undefined;
  /** Kinds of capabilities; a registry may know more of them. */
  kinds?: readonly string[] | undefined;
}
