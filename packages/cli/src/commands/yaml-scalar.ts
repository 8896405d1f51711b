/** Words that some YAML parsers do not read as a string. */
const AMBIGUOUS_WORDS = /^(?:null|true|false|yes|no|on|off|y|n|~)$/i;

/** Strings that every YAML parser reads as a string; a colon is allowed only inside a word. */
const PLAIN = /^[A-Za-z./~](?:[\w ./@()+;'*-]|:(?=[^\s]))*$/;

/** Formats a string for YAML: plain if that is unambiguous, otherwise as JSON. */
export function yamlScalar(text: string): string {
  const plain = PLAIN.test(text) && !AMBIGUOUS_WORDS.test(text) && !text.endsWith(' ');
  return plain ? text : JSON.stringify(text);
}

export function yamlList(items: readonly string[]): string {
  return `[${items.map((item) => yamlScalar(item)).join(', ')}]`;
}
