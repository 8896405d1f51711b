import { lineBreakOf } from '../lines.ts';
import { columnOf, isContainer, type YamlDocument, type YamlNode } from './yaml-document.ts';

/** Formatting of a user's file, applied to added entries. */
export interface YamlStyle {
  eol: string;
  map_step: number;
  /** Indentation of the dashes relative to the key, often 0. */
  list_step: number;
}

export const NEW_FILE_STYLE: YamlStyle = { eol: '\n', map_step: 2, list_step: 2 };

/** Returns the formatting of a file; that of a new file if it shows none. */
export function detectStyle({ text, root }: YamlDocument): YamlStyle {
  const map_step = firstStep(text, root, 'object') ?? NEW_FILE_STYLE.map_step;
  return {
    eol: lineBreakOf(text),
    map_step,
    list_step: firstStep(text, root, 'array') ?? map_step,
  };
}

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
