/** Words that some reader of YAML takes for something else than text. */
const TAKEN = /^(?:null|true|false|yes|no|on|off|y|n|~)$/i;

/** Text that no reader of YAML takes for anything else; a colon may stand inside a word only. */
const PLAIN = /^[A-Za-z./~](?:[\w ./@()+;'*-]|:(?=[^\s]))*$/;

/** A string as YAML writes it: plain where that is safe, otherwise in double quotes, which are JSON's. */
export function yamlScalar(text: string): string {
  const plain = PLAIN.test(text) && !TAKEN.test(text) && !text.endsWith(' ');
  return plain ? text : JSON.stringify(text);
}

/** `[a, b]`. */
export function yamlList(items: readonly string[]): string {
  return `[${items.map((item) => yamlScalar(item)).join(', ')}]`;
}
