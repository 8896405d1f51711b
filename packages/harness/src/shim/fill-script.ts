/** Replaces the text between `// <name>` and `// </name>`, with both marks. */
export function replacePart(
  script: string,
  name: string,
  replace: (part: string) => string,
): string {
  const marked = new RegExp(`^ *// <${name}>\\n([^]*?)^ *// </${name}>\\n`, 'gm');
  return script.replaceAll(marked, (_, part: string) => replace(part));
}

export function keepPart(script: string, name: string, keep: boolean): string {
  return replacePart(script, name, (part) => (keep ? part : ''));
}

/** Replaces text. Throws if the script does not contain it. */
export function replaceText(script: string, text: string, by: string): string {
  if (!script.includes(text)) throw new Error(`The hook script does not contain ${text}`);
  return script.replaceAll(text, () => by);
}
