import type { Json } from '@catalog/core/json';
import type { ManagedEntry } from '../adapter.ts';
import { formatOf, type ManagedFormat } from './format-of.ts';
import { jsonHash } from '@catalog/core/canonical-json';
import { blockText } from './markdown/block-text.ts';
import { tomlValue } from './toml/write-toml.ts';

/** Reduces a value to what the format of the file can represent. */
const HELD: Readonly<Record<ManagedFormat, (value: Json) => Json>> = {
  json: (value) => value,
  yaml: (value) => value,
  toml: tomlValue,
  markdown: blockText,
};

export function entryHash({ value }: Pick<ManagedEntry, 'value'>, file: string): string {
  return jsonHash(HELD[formatOf(file)](value));
}
