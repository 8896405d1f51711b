import type { Node } from 'oxc-parser';
import { lineAt, loadSource } from '../syntax/source-file.ts';
import { walk } from '../syntax/walk.ts';
import type { Mutant } from './mutant.ts';
import { operators } from './operators.ts';

/** Expressions that only change the type of their operand. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
]);

/** Lists mutants by position. Types, module names and names of members have none. */
export function listMutants(path: string, text: string): Mutant[] {
  const mutants: Mutant[] = [];
  walk(loadSource(path, text).program, (node, ancestors) => {
    if (!runs(node, ancestors)) return;
    for (const operator of operators) {
      const edit = operator(node, text, ancestors.at(-1));
      if (!edit) continue;
      const lineStart = text.lastIndexOf('\n', edit.start - 1) + 1;
      const lineEnd = text.indexOf('\n', edit.start);
      mutants.push({
        ...edit,
        file: path,
        line: lineAt(text, edit.start),
        original: text.slice(edit.start, edit.end),
        context: text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd).trim(),
      });
    }
  });
  return mutants.sort((a, b) => a.start - b.start);
}

function runs(node: Node, ancestors: readonly Node[]): boolean {
  const parent = ancestors.at(-1);
  if (node.type === 'Literal' && parent) {
    if (parent.type.startsWith('Import') || parent.type.startsWith('Export')) return false;
    if (parent.type === 'Property' && parent.key === node) return false;
    if (parent.type === 'MemberExpression' && parent.property === node) return false;
  }
  return ancestors.every(({ type }) => !type.startsWith('TS') || TRANSPARENT.has(type));
}
