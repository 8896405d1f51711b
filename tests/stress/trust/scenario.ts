import type { Invocation } from './commands.ts';
import type { Attack } from './place.ts';

/** What a hostile registry tries in one history. */
export type Trick =
  | 'serve'
  | 'redirect'
  | 'traverse'
  | 'send-elsewhere'
  | 'sign-in'
  | 'garbage'
  | 'words'
  | 'imported';

/** A hostile clone and the command that triggers its attack, which a single check prevents. */
export interface Scenario {
  attacks: Attack[];
  /** What the registry tries; undefined if the scenario works with every trick. */
  trick?: Trick;
  /** Environment of the user. */
  env?: Readonly<Record<string, string>>;
  invocation: Invocation;
  /** The user's own configuration. */
  user?: string;
  /** The user trusts the configuration of the clone. */
  trusted?: true;
}
