export type Delivery =
  | 'command'
  | 'skill'
  /** Adapters do not rewrite this file. */
  | 'file';

export interface Spelling {
  id: string;
  title: string;
  delivery: Delivery;
  form: Form;
  text: string;
  names: readonly string[];
  toml?: string;
}

export type Form = 'backtick' | 'fence' | 'brace';

/** Each inline command appends its id to this file. */
export const EXECUTED_FILE = 'executed.txt';

export function commandOf(id: string): string {
  return `echo ${id} >> ${EXECUTED_FILE}`;
}

/** The last line proves that the program expanded the prompt. */
export function lastLineOf(id: string): string {
  return `END-OF-${id}-PROMPT`;
}

const PLACEHOLDERS = [
  '$9 $1 $0 $12 $100 $1$2 $0$9 $ARGUMENTS $ARGUMENTS$ARGUMENTS $9$ARGUMENTS $ARGUMENTS$9',
  '$ARG$9UMENTS $$9ARGUMENTS $ARGUMENTS[0] $ARGUMENTS[9] $ARGUMENTS[$9] \\$9 \\$ARGUMENTS \\\\$ARGUMENTS',
  '${CLAUDE_EFFORT} ${CLAUDE_SESSION_ID} ${CLAUDE_SKILL_DIR} {{args}} {{args}}{{args}} {{name}}',
  '$@ ${@:1} $* {env:NO_SUCH_VARIABLE} ${name} $name $arguments ${ARGUMENTS} @{no-such-file}',
].flatMap((line) => line.split(' '));

/** Placeholders that some program replaces by nothing. */
const MISSING = ['$9', '$ARGUMENTS', '{{args}}'];

const FORMS: Readonly<Record<Form, readonly [opener: string, closer: string]>> = {
  backtick: ['!`', '`'],
  fence: ['```!\n', '\n```'],
  brace: ['!{', '}'],
};

/** `%` is the command with its opener and closer. */
const CONTEXTS: readonly (readonly [title: string, text: string])[] = [
  ['at the start', '%'],
  ['after a space', 'Now % here'],
  ['after a letter', 'Now% here'],
  ['after a tab', 'Now\t%'],
  ['after a no-break space', 'Now\u00A0%'],
  ['after a line end of Windows', 'Now\r\n%\r\nhere'],
  ['after a backslash', 'Now \\%'],
  ['after another exclamation mark', 'Now !%'],
  ['in a list', '- %\n- two'],
  ['in a quote', '> %'],
  ['in a heading', '# %'],
  ['in a comment', '<!-- % -->'],
  ['in a table', '| a |\n|---|\n| % |'],
  ['in a link', '[%](https://example.com)'],
  ['in a code block', '~~~md\n%\n~~~'],
  ['twice', '% and %'],
  ['after a code span', '`a` %'],
  ['between quotes', '"%"'],
];

/** `%` is the command itself. */
const INSIDES: readonly (readonly [title: string, text: string])[] = [
  ['with spaces around it', '  %  '],
  ['after a line end', '\n%\n'],
  ['with a comment', '% # $9'],
  ['with all arguments', '% # $ARGUMENTS'],
  ['with arguments in braces', '% # {{args}}'],
  ['with braces', '% # {a} {{b}}'],
  ['after a placeholder', '$9%'],
  ['after all arguments', '$ARGUMENTS%'],
  ['with two commands', 'true; %'],
];

type Draft = Omit<Spelling, 'id' | 'names' | 'delivery'> &
  Partial<Pick<Spelling, 'names' | 'delivery'>>;

/** Returns the spellings, always in the same order and with the same ids. */
export function spellings(): Spelling[] {
  const drafts = [
    ...inContexts(),
    ...withInsides(),
    ...behindPlaceholders(),
    ...interrupted(),
    ...inSkills(),
    ...inFiles(),
    ...inToml(),
  ];
  return drafts.map((draft, index) => {
    const id = `s${index + 1}`;
    const text = `${draft.text.replaceAll('%', () => commandOf(id))}\n\n${lastLineOf(id)}`;
    const toml = draft.toml
      ?.replaceAll('%', () => commandOf(id))
      .replaceAll('&', () => lastLineOf(id));
    return {
      delivery: 'command',
      names: [],
      ...draft,
      id,
      text,
      ...(toml === undefined ? {} : { toml: `${toml}\n` }),
    };
  });
}

function wrapped(form: Form, inside: string): string {
  const [opener, closer] = FORMS[form];
  return `${opener}${inside}${closer}`;
}

const ALL_FORMS: readonly Form[] = ['backtick', 'fence', 'brace'];

function inContexts(): Draft[] {
  return ALL_FORMS.flatMap((form) =>
    CONTEXTS.map(([title, context]) => ({
      form,
      title: `${form} ${title}`,
      text: context.replaceAll('%', () => wrapped(form, '%')),
    })),
  );
}

function withInsides(): Draft[] {
  return ALL_FORMS.flatMap((form) =>
    INSIDES.map(([title, inside]) => ({
      form,
      title: `${form} ${title}`,
      text: `Now ${wrapped(form, inside)}`,
    })),
  );
}

function behindPlaceholders(): Draft[] {
  return PLACEHOLDERS.flatMap((placeholder) => [
    {
      form: 'backtick' as const,
      title: `backtick behind ${placeholder}`,
      text: `Now !${placeholder}\`%\``,
    },
    {
      form: 'brace' as const,
      title: `brace behind ${placeholder}`,
      text: `Now !${placeholder}{%}`,
    },
  ]);
}

function interrupted(): Draft[] {
  return ALL_FORMS.flatMap((form) => {
    const [opener, closer] = FORMS[form];
    return MISSING.flatMap((placeholder) => [
      ...gapsOf(opener).map((gap) => ({
        form,
        title: `${form} with ${placeholder} in its opener at ${gap}`,
        text: `${opener.slice(0, gap)}${placeholder}${opener.slice(gap)}%${closer}`,
      })),
      ...gapsOf(closer).map((gap) => ({
        form,
        title: `${form} with ${placeholder} in its closer at ${gap}`,
        text: `${opener}%${closer.slice(0, gap)}${placeholder}${closer.slice(gap)}`,
      })),
      {
        form,
        title: `${form} after ${placeholder} at the start of a line`,
        text: `${placeholder}${wrapped(form, '%')}`,
      },
      {
        form,
        title: `${form} after ${placeholder} and a letter`,
        text: `Now${placeholder}${wrapped(form, '%')}`,
      },
    ]);
  });
}

function gapsOf(text: string): number[] {
  return Array.from({ length: Math.max(0, text.trim().length - 1) }, (_, index) => index + 1).map(
    (gap) => gap + (text.length - text.trimStart().length),
  );
}

/** Skills keep all frontmatter and therefore named arguments. */
function inSkills(): Draft[] {
  const named: [name: string, text: string][] = [
    ['zz', 'Now !$zz`%`'],
    ['a-b', 'Now !$a-b`%`'],
    ['a.b', 'Now !$a.b`%`'],
    ['{}', 'Now !${}`%`'],
    ['`', 'Now !`$` %`'],
    ['zz', '``$zz`!\n%\n```'],
    ['zz', '$zz!`%`'],
    ['zz', 'Now !$zzz`%`'],
    ['zz', 'Now !\\$zz`%`'],
    ['zz', 'Now !$zz[0]`%`'],
    ['9', 'Now !$9`%`'],
  ];
  return [
    ...named.map(([name, text]) => ({
      form: 'backtick' as const,
      delivery: 'skill' as const,
      title: `skill with the argument ${name}: ${text.replaceAll('\n', ' ')}`,
      text,
      names: [name],
    })),
    ...['$9', '$ARGUMENTS', '$1$2', '$ARG$9UMENTS', '$100'].map((placeholder) => ({
      form: 'backtick' as const,
      delivery: 'skill' as const,
      title: `skill with a backtick behind ${placeholder}`,
      text: `Now !${placeholder}\`%\``,
    })),
  ];
}

/** Placeholders stay as written in bundled command files; adapters rewrite them in commands. */
function inFiles(): Draft[] {
  return [
    ...['$1', '$9', '$0', '$100', '$5.99', '$ARGUMENTS', '{{args}}', '\\$1'].flatMap(
      (placeholder) => [
        {
          form: 'backtick' as const,
          delivery: 'file' as const,
          title: `file with a backtick behind ${placeholder}`,
          text: `Now !${placeholder}\`%\``,
        },
        {
          form: 'brace' as const,
          delivery: 'file' as const,
          title: `file with a brace behind ${placeholder}`,
          text: `Now !${placeholder}{%}`,
        },
      ],
    ),
    {
      form: 'brace',
      delivery: 'file',
      title: 'file with all arguments as a command',
      text: 'Now !$ARGUMENTS and !{%}',
    },
  ];
}

/** `&` is the last line. */
function inToml(): Draft[] {
  const documents: [title: string, toml: string][] = [
    ['an escaped exclamation mark', String.raw`prompt = "Now \u0021{%} &"`],
    ['an escaped brace', String.raw`prompt = "Now !\u007B%} &"`],
    ['a long escape', String.raw`prompt = "Now \U00000021\U0000007b%} &"`],
    ['a removed line end', 'prompt = """Now !\\\n   {%} &"""'],
    ['a literal string', "prompt = 'Now !{%} &'"],
    ['a literal string with an escape', String.raw`prompt = 'Now \u0021{%} &'`],
  ];
  return documents.map(([title, toml]) => ({
    form: 'brace',
    delivery: 'file',
    title: `file in TOML with ${title}`,
    text: '',
    toml,
  }));
}
