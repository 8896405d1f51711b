import type { ArgumentForm } from '../place/command-arguments.ts';

/** Converts placeholders of a product to the canonical form (SPEC-41). */
export function fromProductArguments(
  body: string,
  form: ArgumentForm | undefined,
): { body: string; changes: string[] } {
  let text = body;
  const changes: string[] = [];
  const replace = (native: string | undefined, canonical: string): void => {
    if (native === undefined || native === canonical || !text.includes(native)) return;
    text = text.replaceAll(native, () => canonical);
    changes.push(`${native} is ${canonical}`);
  };
  replace(form?.all, '$ARGUMENTS');
  for (let n = 1; n <= 9; n += 1) replace(form?.position?.(n), `$${n}`);
  return { body: text, changes };
}
