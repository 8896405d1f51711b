import type { Finding } from './diagnose.ts';

/** The codes with which a text that cannot be decoded is refused, whatever it was meant to say. */
export type RefusalCode =
  | 'lint.manifest_size'
  | 'lint.invalid_encoding'
  | 'lint.hidden_character'
  | 'lint.frontmatter_missing'
  | 'lint.frontmatter_limit'
  | 'lint.invalid_yaml';

/** Why a text was refused, and at which offset of it. */
export interface Refusal extends Finding {
  code: RefusalCode;
  offset: number;
}
