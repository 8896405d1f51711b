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
    // A key or text `<<` is put in quotes, so that it does not become a merge key.
    mergeTag,
    // Numbers are written as they were read, which is as their author wrote them (`readYaml`).
    defineScalarTag<number>(floatCoreTag.tagName, { ...floatCoreTag, represent: String }),
  ),
  scalarStyleRules: [quoteTrailingLines, ...Object.values(DEFAULT_SCALAR_STYLE_RULES)],
  lineWidth: -1,
  noRefs: true,
};

/** A block that keeps its empty lines would have to be closed by `...`, which frontmatter has not. */
function quoteTrailingLines(layout: ScalarLayout): void {
  if (layout.node.value.endsWith('\n\n')) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}

/**
 * A manifest from its values. Comments, quoting and indentation are normalised, so that equal values
 * give equal bytes wherever they were merged (specification, Inheritance rules 4).
 */
export function encodeManifest(values: JsonObject, body: string): string {
  const isEmpty = Object.keys(values).length === 0;
  return `---\n${isEmpty ? '' : dump(values, OPTIONS)}---\n${body}`;
}
