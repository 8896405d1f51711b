import {
  CORE_SCHEMA,
  DEFAULT_SCALAR_STYLE_RULES,
  SCALAR_STYLE,
  defineScalarTag,
  dump,
  floatCoreTag,
  mergeTag,
  type DumpOptions,
  type ScalarLayout,
} from 'js-yaml';
import type { JsonObject } from '../json.ts';

const OPTIONS: DumpOptions = {
  schema: CORE_SCHEMA.withTags(
    // A key `<<` is quoted, so that it does not become a merge key.
    mergeTag,
    // Numbers keep the spelling of the author, as returned by `readYaml`.
    defineScalarTag<number>(floatCoreTag.tagName, { ...floatCoreTag, represent: String }),
  ),
  scalarStyleRules: [quoteTrailingLines, ...Object.values(DEFAULT_SCALAR_STYLE_RULES)],
  lineWidth: -1,
  noRefs: true,
};

/** Quotes strings with trailing empty lines, which as a block would need a closing `...`. */
function quoteTrailingLines(layout: ScalarLayout): void {
  if (layout.node.value.endsWith('\n\n')) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}

/** Encodes a manifest without comments. Equal values have equal bytes (specification, Inheritance rules 4). */
export function encodeManifest(values: JsonObject, body: string): string {
  const isEmpty = Object.keys(values).length === 0;
  return `---\n${isEmpty ? '' : dump(values, OPTIONS)}---\n${body}`;
}
