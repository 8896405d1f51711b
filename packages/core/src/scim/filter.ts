import type { Attribute } from './attribute.ts';
import type { AttributePath } from './attribute-path.ts';

export type CompareOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';
export type CompareValue = string | number | boolean | null;

/** A filter whose every name is an attribute there is. */
export type Filter =
  | { kind: 'and'; parts: readonly Filter[] }
  | { kind: 'or'; parts: readonly Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'present'; path: AttributePath }
  | { kind: 'compare'; path: AttributePath; operator: CompareOperator; value: CompareValue }
  /** Some one value of the list meets the whole of `part`, whose paths start inside of it. */
  | { kind: 'value'; path: AttributePath; part: Filter };

/** The attribute a comparison looks at: of a list of values that have parts, their `value`. */
export function comparedAttribute({ attribute, sub }: AttributePath): Attribute {
  if (sub !== undefined) return sub;
  const value = attribute.subAttributes?.find(({ name }) => name === 'value');
  return attribute.multiValued && value !== undefined ? value : attribute;
}
