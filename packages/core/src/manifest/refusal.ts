import type { Finding } from './diagnose.ts';

export type RefusalCode =
  | 'lint.manifest_size'
  | 'lint.invalid_encoding'
  | 'lint.hidden_character'
  | 'lint.frontmatter_missing'
  | 'lint.frontmatter_limit'
  | 'lint.invalid_yaml';

export interface Refusal extends Finding {
  code: RefusalCode;
  offset: number;
}
