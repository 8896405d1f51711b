import { lineBreakOf } from '../lines.ts';
import { columnOf, isContainer, type YamlDocument, type YamlNode } from './yaml-document.ts';

/** How a person lays out a YAML file, so that what is added looks like theirs. */
export interface YamlStyle {
  eol: string;
  /** How much deeper a mapping stands than the key it belongs to. */
  map_step: number;
  /** How much deeper the dashes of a sequence stand than its key; many people write 0. */
  list_step: number;
}

/** How catalog lays out a file of its own. */
export const NEW_FILE_STYLE: YamlStyle = { eol: '\n', map_step: 2, list_step: 2 };

/** The layout a file shows; the one of a new file where it shows none. */
export function detectStyle({ text, root }: YamlDocument): YamlStyle {
  const map_step = firstStep(text, root, 'object') ?? NEW_FILE_STYLE.map_step;
  return {
    eol: lineBreakOf(text),
    map_step,
    list_step: firstStep(text, root, 'array') ?? map_step,
  };
}

/** The first step from a key to a block of one kind below it. */
function firstStep(
  text: string,
  node: YamlNode | undefined,
  kind: 'object' | 'array',
): number | undefined {
  if (node === undefined || !isContainer(node) || node.flow) return undefined;
  for (const { start, value } of node.items) {
    if (!isContainer(value) || value.flow) continue;
    if (node.kind === 'object' && value.kind === kind) {
      return columnOf(text, value.start) - columnOf(text, start);
    }
    const step = firstStep(text, value, kind);
    if (step !== undefined) return step;
  }
  return undefined;
}
