/** Replaces the text between `// <name>` and `// </name>` and removes both marks. */
export function replacePart(
  script: string,
  name: string,
  replace: (part: string) => string,
): string {
  const marked = new RegExp(`^ *// <${name}>\\n([^]*?)^ *// </${name}>\\n`, 'gm');
  return script.replaceAll(marked, (_, part: string) => replace(part));
}

/** Keeps the text between two marks, or removes it. */
export function keepPart(script: string, name: string, keep: boolean): string {
  return replacePart(script, name, (part) => (keep ? part : ''));
}

/** Replaces all occurrences of a string. Throws if the script contains none. */
export function replaceText(script: string, text: string, by: string): string {
  if (!script.includes(text)) throw new Error(`The hook script does not contain ${text}`);
  return script.replaceAll(text, () => by);
}
