export const CONTENT_VERDICTS = ['allow', 'ask', 'deny'] as const;

export type ContentVerdict = (typeof CONTENT_VERDICTS)[number];

/** Rule for executable content; absent members match everything. */
export interface ContentRule {
  policy: ContentVerdict;
  /** Registry, as an absolute path or a URL. */
  registry?: string | undefined;
  layer?: string | undefined;
  /** Kinds of capabilities; a registry may name unknown ones. */
  kinds?: readonly string[] | undefined;
}
