/** What a value can be completed with where its set is known only at run time. */
export type Completion = 'harness' | 'artifact-type' | 'command' | 'file' | 'folder';

export interface FlagDefinition {
  /**
   * `switch` takes no value; `text` takes one; `list` may be given again and again; `optional` takes
   * a value after `=`, or a following word that ends in `.yaml` or `.yml`.
   */
  type: 'switch' | 'text' | 'list' | 'optional';
  /** One line for help, completion and the reference page. */
  summary: string;
  /** What stands for the value in help; required for every type but `switch`. */
  placeholder?: string;
  /** The only values it takes. */
  values?: readonly string[];
  /** Accepted values that help and completion do not show. */
  hidden_values?: readonly string[];
  /** Words for its values that other tools use: suggested, never taken. */
  value_slips?: Readonly<Record<string, string>>;
  completion?: Completion;
  short?: string;
  alias?: string;
  /** The variable that answers when the flag is absent. */
  env?: string;
  /** What applies when nothing answers, for help only. */
  default?: string;
}

export interface ArgumentDefinition {
  name: string;
  summary: string;
  required: boolean;
  /** Takes every remaining word. */
  repeated?: boolean;
  values?: readonly string[];
  /** Words for its values that other tools use: suggested, never taken. */
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

/** A row of the command table: data only, so that help and completion load no code. */
export interface CommandDefinition {
  /** The words after `catalog`: `sync`, `sync enable`. */
  name: string;
  /** The heading it stands under in `catalog --help`. */
  section: Section;
  summary: string;
  /** Paragraphs for `--help` of this command. */
  description: readonly string[];
  arguments: readonly ArgumentDefinition[];
  flags: Readonly<Record<string, FlagDefinition>>;
  /** Sets of flags of which only one may be given. */
  exclusive?: readonly (readonly string[])[];
  examples: readonly Example[];
  /** What exit 1 means here, where it means more than "it failed". */
  exit_one?: string;
  /** Runs until it is told to stop, takes its time to, and has then succeeded. */
  long_lived?: true;
  /** Its work grows with the registry, so it earns the compiler that short commands do without. */
  long_running?: true;
  /** Words people know from elsewhere, and what to write here; answered with "did you mean". */
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

/** The flags of a definition as a command receives them. */
export type FlagValues<Flags extends Readonly<Record<string, FlagDefinition>>> = {
  [Name in keyof Flags]: FlagValue<Flags[Name]>;
};

/** What a command receives: every flag and argument of its definition, checked. */
export interface CommandInput<D extends CommandDefinition> {
  flags: FlagValues<D['flags']>;
  arguments: {
    [A in D['arguments'][number] as A['name']]: ArgumentValue<A>;
  };
}

/** Flags of every command. */
export const GLOBAL_FLAGS = {
  json: {
    type: 'switch',
    summary: 'Print one JSON document on stdout, also for errors.',
  },
  help: { type: 'switch', short: 'h', summary: 'Show help.' },
  version: { type: 'switch', short: 'v', summary: 'Show the version.' },
} as const satisfies Record<string, FlagDefinition>;
