import { CORE_SCHEMA, defineScalarTag, dump, floatCoreTag, mergeTag } from 'js-yaml';
import type { JsonObject } from '../json.ts';

/**
 * Numbers as they were read, which is as their author wrote them (`readYaml`); and a key or text
 * `<<` in quotes, so that it does not become a merge key.
 */
const SCHEMA = CORE_SCHEMA.withTags(
  mergeTag,
  defineScalarTag<number>(floatCoreTag.tagName, { ...floatCoreTag, represent: String }),
);

/**
 * A manifest from its values. Comments, quoting and indentation are normalised, so that equal values
 * give equal bytes wherever they were merged (specification, Inheritance rules 4).
 */
export function encodeManifest(values: JsonObject, body: string): string {
  const isEmpty = Object.keys(values).length === 0;
  const frontmatter = isEmpty ? '' : dump(values, { schema: SCHEMA, lineWidth: -1, noRefs: true });
  return `---\n${frontmatter}---\n${body}`;
}
