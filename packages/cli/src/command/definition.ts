/** Source of completions for values that are known only at run time. */
export type Completion = 'harness' | 'artifact-type' | 'command' | 'file' | 'folder';

export interface FlagDefinition {
  /**
   * Type of the value. `switch` has none; `optional` accepts one after `=`, or a next word that ends in `.yaml` or
   * `.yml`.
   */
  type: 'switch' | 'text' | 'list' | 'optional';
  summary: string;
  /** Placeholder of the value in help, required for every type except `switch`. */
  placeholder?: string;
  values?: readonly string[];
  /** Accepted values that help and completion do not show. */
  hidden_values?: readonly string[];
  /** Names that other tools use for these values, suggested in errors. */
  value_slips?: Readonly<Record<string, string>>;
  completion?: Completion;
  short?: string;
  alias?: string;
  env?: string;
  default?: string;
}

export interface ArgumentDefinition {
  name: string;
  summary: string;
  required: boolean;
  repeated?: boolean;
  values?: readonly string[];
  value_slips?: Readonly<Record<string, string>>;
  completion?: Completion;
}

export interface Example {
  command: string;
  summary: string;
}

export const SECTIONS = [
  'Get started',
  'Install',
  'Author',
  'Serve',
  'Administer',
  'Inspect',
  'Other',
] as const;
export type Section = (typeof SECTIONS)[number];

/** Definition of a command. It contains only data, so that help and completion load no code. */
export interface CommandDefinition {
  name: string;
  section: Section;
  summary: string;
  description: readonly string[];
  arguments: readonly ArgumentDefinition[];
  flags: Readonly<Record<string, FlagDefinition>>;
  exclusive?: readonly (readonly string[])[];
  examples: readonly Example[];
  /** Meaning of exit code 1 if it differs from "the command failed". */
  exit_one?: string;
  /** True for a command that runs until a signal and then succeeds. */
  long_lived?: true;
  /** True if the work grows with the registry, so that the optimizing compiler is worth loading. */
  long_running?: true;
  /** Names of this command in other tools, for "Did you mean". */
  known_as?: Readonly<Record<string, string>>;
}

type FlagValue<F extends FlagDefinition> = F['type'] extends 'switch'
  ? boolean
  : F['type'] extends 'list'
    ? Word<F>[] | undefined
    : F['type'] extends 'optional'
      ? string | true | undefined
      : Word<F> | undefined;

type Word<A> = A extends { values: readonly (infer V)[] } ? V : string;

type ArgumentValue<A extends ArgumentDefinition> = A extends { repeated: true }
  ? Word<A>[]
  : A extends { required: true }
    ? Word<A>
    : Word<A> | undefined;

export type FlagValues<Flags extends Readonly<Record<string, FlagDefinition>>> = {
  [Name in keyof Flags]: FlagValue<Flags[Name]>;
};

export interface CommandInput<D extends CommandDefinition> {
  flags: FlagValues<D['flags']>;
  arguments: {
    [A in D['arguments'][number] as A['name']]: ArgumentValue<A>;
  };
}

export const GLOBAL_FLAGS = {
  json: {
    type: 'switch',
    summary: 'Print one JSON document on stdout, also for errors.',
  },
  help: { type: 'switch', short: 'h', summary: 'Show help.' },
  version: { type: 'switch', short: 'v', summary: 'Show the version.' },
} as const satisfies Record<string, FlagDefinition>;
