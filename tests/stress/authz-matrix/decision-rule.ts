import type { CallerKind, LayerClass, Mode, Patch, Registration, Reorder } from './dimensions.ts';

export interface Cell {
  mode: Mode;
  caller: CallerKind;
  route: string;
  variant: string;
  /** The layer in the request; undefined for routes without a layer. */
  layer: LayerClass | undefined;
  registration?: Registration;
  patch?: Patch;
  reorder?: Reorder;
}

export interface Outcome {
  status: number;
  code?: string;
  /** `details.constraint`; if undefined, the response must not have one. */
  constraint?: string;
  audited?: number;
  shows?: boolean;
  /**
   * True if the posture contains the caller, and true if it reports that the caller can manage any
   * layer.
   */
  subject?: boolean;
  manages?: boolean;
  makes?: 'own' | 'shared';
}

export type Facts = Readonly<Record<string, string>>;

export interface DecisionRule {
  when: Readonly<Record<string, string | readonly string[]>>;
  /** `pass` continues with the next stage. */
  answer: Outcome | 'pass';
  requirement: string;
}

export function firstMatchingRule(
  rows: readonly DecisionRule[],
  facts: Facts,
): DecisionRule | undefined {
  return rows.find(({ when }) =>
    Object.entries(when).every(([fact, wanted]) =>
      typeof wanted === 'string' ? facts[fact] === wanted : wanted.includes(facts[fact] ?? ''),
    ),
  );
}

export const forbidden: Outcome = { status: 403, code: 'auth.forbidden' };
export const absent: Outcome = { status: 404, code: 'registry.not_found' };
export const invalid: Outcome = { status: 400, code: 'registry.invalid_argument' };
export const OPEN_MODES = ['none', 'public'];
