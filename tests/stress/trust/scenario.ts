import type { Invocation } from './commands.ts';
import type { Attack } from './place.ts';

export type Trick =
  | 'serve'
  | 'redirect'
  | 'traverse'
  | 'send-elsewhere'
  | 'sign-in'
  | 'garbage'
  | 'words'
  | 'imported';

/** A hostile clone and the command that triggers its attack, which exactly one check prevents. */
export interface Scenario {
  attacks: Attack[];
  /** Attack of the registry; undefined if the scenario works with every attack. */
  trick?: Trick;
  env?: Readonly<Record<string, string>>;
  invocation: Invocation;
  user?: string;
  trusted?: true;
}
