import type { Artifact } from '@catalog/core/artifact/types';

/**
 * Placeholders of a product (SPEC-41). Unsupported ones stay and cause a warning, so that the prompt still shows the
 * intent of its author.
 */
export interface ArgumentForm {
  /** Placeholder for `$ARGUMENTS`. */
  all?: string;
  /** Placeholder for `$1` to `$9`, 1-based. */
  position?: (n: number) => string;
  /** Replaces the `$` of `$5.99`, if the product would treat it as a placeholder. */
  amount?: string;
  /** Text that the product would replace although it is not a placeholder. */
  reserved?: readonly { text: string; written: string }[];
  /** True if inline commands and files such as `@README.md` stay text. */
  inline_as_text?: true;
}

/** Placeholder, but not a price such as `$5.99` or `$100`. */
export const PLACEHOLDER = /\$(?:ARGUMENTS\b|([1-9])(?!\d|[.,]\d))/g;

/** `$` before a number that is not part of a placeholder. */
const AMOUNT = /\$(?=\d)(?![1-9](?!\d|[.,]\d))/g;

export function convertArguments(artifact: Artifact, form: ArgumentForm): Artifact {
  const { amount, reserved = [] } = form;
  let authored =
    amount === undefined ? artifact.body : artifact.body.replaceAll(AMOUNT, () => amount);
  for (const { text, written } of reserved) authored = authored.replaceAll(text, () => written);
  const body = authored.replaceAll(
    PLACEHOLDER,
    (placeholder, digit: string | undefined, at: number, text: string) => {
      const converted =
        digit === undefined
          ? (form.all ?? placeholder)
          : (form.position?.(Number(digit)) ?? placeholder);
      return separatePlaceholder(converted, text[at - 1]);
    },
  );
  return body === artifact.body ? artifact : { ...artifact, body };
}

/**
 * Separates a placeholder in braces from `!` and `@`, because Gemini CLI and Qwen Code run `!{...}` in a shell and
 * include the file of `@{...}`.
 */
export function separatePlaceholder(placeholder: string, before: string | undefined): string {
  const joins = placeholder.startsWith('{') && (before === '!' || before === '@');
  return joins ? ` ${placeholder}` : placeholder;
}

const INLINE_COMMAND = /(?<![^\s(])!`[^`\n]+`/;
const INLINE_FILE = /(?<![^\s(])@(?:[\w-]+\/)*[\w.-]+\.\w{1,8}\b/;

function inlineWarnings(body: string): string[] {
  const [command] = INLINE_COMMAND.exec(body) ?? [];
  const [file] = INLINE_FILE.exec(body) ?? [];
  return [
    ...(command === undefined
      ? []
      : [`the command ${command} does not run and stays in the prompt`]),
    ...(file === undefined ? [] : [`${file} stays in the prompt, without the content of the file`]),
  ];
}

export function argumentWarning({ body }: Artifact, form: ArgumentForm): string | undefined {
  const taken = (form.reserved ?? []).filter(({ text }) => body.includes(text));
  const left = new Set<string>();
  for (const [placeholder, digit] of body.matchAll(PLACEHOLDER)) {
    const has = digit === undefined ? form.all !== undefined : form.position !== undefined;
    if (!has) left.add(placeholder);
  }
  const reasons = [
    ...(left.size === 0
      ? []
      : [
          `the harness has no placeholder for ${[...left].join(', ')}, so the prompt contains it unchanged`,
        ]),
    ...(form.amount === undefined || body.search(AMOUNT) === -1
      ? []
      : [
          `every number after a dollar sign is an argument, so an amount is written as "${form.amount}5"`,
        ]),
    ...taken.map(
      ({ text, written }) =>
        `\`${text}\` is a placeholder there, so it is written as \`${written}\``,
    ),
    ...(form.inline_as_text === true ? inlineWarnings(body) : []),
  ];
  return reasons.length === 0 ? undefined : reasons.join('; ');
}
