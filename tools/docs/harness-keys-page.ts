import { FIRST_CLASS_TYPES, type FirstClassType } from '@catalog/core/artifact/types';
import { NATIVE_KEYS } from '@catalog/harness/place/native-keys';
import { adapters } from '@catalog/harness/registry';
import { code, page, table } from './markdown.ts';
import { CATALOG_KEYS, keysOf, observeKey, type KeyTreatment } from './observed-keys.ts';

const COLUMNS = [
  'written',
  'converted',
  'reported',
  'irrelevant',
] as const satisfies KeyTreatment[];

export function harnessKeysPage(): string {
  return page('Manifest keys by harness', 'tools/docs/observed-keys.ts', [
    'These tables show how each harness gets each key of a manifest: the canonical keys, and those that harnesses document. ' +
      'The tables are made by writing an artifact with and without the key. Harnesses that do not support the type are left out.',
    '**Written**: under its own name. **Converted**: under another name, as another value, or in another place. ' +
      '**Reported**: not written. `catalog sync` warns about a key that limits or runs something, and `--strict` refuses the artifact. ' +
      '`catalog warnings` also lists the other keys. **Irrelevant**: the harness has no use for the key.',
    'A key may be converted in part, for example if a harness does not have one of the tools; then a warning names the rest. ' +
      'The rows of `hook_matcher` and `hook_timeout` are for `pre_tool_use`; if they have no effect on another event, a sync warns.',
    `Only catalog uses these keys, for every type: ${[...CATALOG_KEYS].map(code).join(', ')}.`,
    ...FIRST_CLASS_TYPES.flatMap((type) => [`## ${type}`, keyTable(type)]),
  ]);
}

function keyTable(type: FirstClassType): string {
  return table(
    ['Key', 'Written', 'Converted', 'Reported', 'Irrelevant', 'If it is not written'],
    keysOf(type).map((key) => {
      const treatments = [...adapters].map(([id, adapter]) => ({
        id,
        treatment: observeKey(adapter, type, key),
      }));
      const groups = COLUMNS.map((column) =>
        treatments.filter(({ treatment }) => treatment === column).map(({ id }) => code(id)),
      );
      return [code(key), ...cellsOf(groups), consequenceOf(type, key)];
    }),
  );
}

/** The longest list becomes `all` or `all others`. */
function cellsOf(groups: readonly string[][]): string[] {
  const longest = Math.max(...groups.map(({ length }) => length));
  const position = groups.findIndex(({ length }) => length === longest);
  const isOnly = groups.filter(({ length }) => length > 0).length === 1;
  return groups.map((ids, index) => {
    if (index === position && longest > 3) return isOnly ? 'all' : 'all others';
    return ids.join(', ');
  });
}

function consequenceOf(type: FirstClassType, key: string): string {
  if (type === 'context') return '';
  return NATIVE_KEYS[type][key] ?? '';
}
