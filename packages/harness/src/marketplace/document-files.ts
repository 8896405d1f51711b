import type { Json, JsonObject } from '@catalog/core/json';
import { isJsonObject } from '@catalog/core/json';
import type { PlannedEntry } from '../planned.ts';

export function documentText(
  content: JsonObject | undefined,
  entries: readonly PlannedEntry[],
): string {
  const blocks = entries.filter(({ entry }) => entry.shape === 'block');
  if (blocks.length > 0) return blocks.map(blockText).join('\n');
  const document: JsonObject = Object.assign(emptyObject(), content);
  for (const { entry } of entries) put(document, entry.container, entry);
  return formatDocument(document);
}

function blockText({ entry: { value } }: PlannedEntry): string {
  const text = typeof value === 'string' ? value : '';
  return text.endsWith('\n') ? text : `${text}\n`;
}

function emptyObject(): JsonObject {
  return Object.create(null);
}

function put(
  document: JsonObject,
  [step, ...rest]: readonly string[],
  entry: PlannedEntry['entry'],
): void {
  if (step === undefined) {
    document[entry.key] = entry.value;
    return;
  }
  if (rest.length === 0 && entry.shape === 'array') {
    const list = document[step];
    document[step] = [...(Array.isArray(list) ? list : []), entry.value];
    return;
  }
  const found = document[step];
  const inner = isJsonObject(found) ? found : emptyObject();
  document[step] = inner;
  put(inner, rest, entry);
}

/** Formats a document with one line per element of a top-level list, so that a changed plugin is one changed line. */
export function formatDocument(document: JsonObject): string {
  const members = Object.entries(document).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${formatMember(value)}`,
  );
  return members.length === 0 ? '{}\n' : `{\n${members.join(',\n')}\n}\n`;
}

function formatMember(value: Json): string {
  if (Array.isArray(value) && value.some(isJsonObject)) {
    return `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`;
  }
  return JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ');
}
