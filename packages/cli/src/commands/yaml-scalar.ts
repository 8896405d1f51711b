/** Words that YAML would read as something else than text. */
const TAKEN = /^(?:null|true|false|yes|no|on|off|y|n|~)$/i;

/** A start, an inside and an end that no reader of YAML takes for anything but plain text. */
const PLAIN = /^[A-Za-z./~][\w ./@()+,;'-]*$/;

/** A string as YAML writes it: plain where that is safe, otherwise in double quotes, which are JSON's. */
export function yamlScalar(text: string): string {
  const plain = PLAIN.test(text) && !TAKEN.test(text) && text.trim() === text;
  return plain && text !== '~' ? text : JSON.stringify(text);
}

/** `[a, b]`. */
export function yamlList(items: readonly string[]): string {
  const scalars = items.map((item) =>
    item.includes(',') ? JSON.stringify(item) : yamlScalar(item),
  );
  return `[${scalars.join(', ')}]`;
}
