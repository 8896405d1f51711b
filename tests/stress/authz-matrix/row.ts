import type { CallerKind, LayerClass, Mode, Patch, Registration, Reorder } from './dimensions.ts';

/** One request of the matrix. */
export interface Cell {
  mode: Mode;
  caller: CallerKind;
  route: string;
  /** The form of the request, where a route has several. */
  variant: string;
  /** What it is about; undefined for routes that are about no layer. */
  layer: LayerClass | undefined;
  registration?: Registration;
  patch?: Patch;
  reorder?: Reorder;
}

/** What the answer has to be. */
export interface Outcome {
  status: number;
  code?: string;
  /** `details.constraint`; absent means that there must be none. */
  constraint?: string;
  /** Records the audit gains. */
  audited?: number;
  /** Whether a list names the artifact or layer that was asked about. */
  shows?: boolean;
  /** Whether the posture names the caller, and whether it says that any layer may be managed. */
  subject?: boolean;
  manages?: boolean;
  /** Whose layer a registration makes: the caller's own, or an admin-defined one. */
  makes?: 'own' | 'shared';
}

/** What a decision depends on, each in one word. */
export type Facts = Readonly<Record<string, string>>;

/** One line of a decision table. */
export interface Row {
  when: Readonly<Record<string, string | readonly string[]>>;
  /** `pass` leaves the decision to the stages below. */
  answer: Outcome | 'pass';
  law: string;
}

/** The first row whose conditions all hold. */
export function firstRow(rows: readonly Row[], facts: Facts): Row | undefined {
  return rows.find(({ when }) =>
    Object.entries(when).every(([fact, wanted]) =>
      typeof wanted === 'string' ? facts[fact] === wanted : wanted.includes(facts[fact] ?? ''),
    ),
  );
}

export const forbidden: Outcome = { status: 403, code: 'auth.forbidden' };
export const absent: Outcome = { status: 404, code: 'registry.not_found' };
export const invalid: Outcome = { status: 400, code: 'registry.invalid_argument' };
/** Where nobody is told apart. */
export const openly = ['none', 'public'];
