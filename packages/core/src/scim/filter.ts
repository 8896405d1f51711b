import type { Attribute } from './attribute.ts';
import type { AttributePath } from './attribute-path.ts';

export type CompareOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';
export type CompareValue = string | number | boolean | null;

export type Filter =
  | { kind: 'and'; parts: readonly Filter[] }
  | { kind: 'or'; parts: readonly Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'present'; path: AttributePath }
  | { kind: 'compare'; path: AttributePath; operator: CompareOperator; value: CompareValue }
  /** At least one value of the list matches `part`, whose paths are relative to the value. */
  | { kind: 'value'; path: AttributePath; part: Filter };

/** Returns the compared attribute; in a list of complex values, it is `value`. */
export function comparedAttribute({ attribute, sub }: AttributePath): Attribute {
  if (sub !== undefined) return sub;
  const value = attribute.subAttributes?.find(({ name }) => name === 'value');
  return attribute.multiValued && value !== undefined ? value : attribute;
}
