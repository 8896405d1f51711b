import { lineAt, loadSource } from '../../tools/syntax/source-file.ts';
import { walk } from '../../tools/syntax/walk.ts';

const READS: ReadonlySet<string> = new Set(['rows', 'row', 'statement']);

/**
 * Finds calls that specify a row type for SQL defined in another place. The type belongs to the
 * statement: in the same call, or as `Sql<Row>` of the constant.
 */
export function findRowTypes(path: string, text: string): string[] {
  const source = loadSource(path, text);
  const found: string[] = [];
  walk(source.program, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
    const {
      callee,
      typeArguments,
      arguments: [sql],
    } = node;
    if (!typeArguments || callee.property.type !== 'Identifier') return;
    if (!READS.has(callee.property.name)) return;
    if (sql?.type === 'Literal' || sql?.type === 'TemplateLiteral') return;
    if (text.slice(typeArguments.start, typeArguments.end) === '<never>') return;
    found.push(`${path}:${lineAt(text, node.start)}`);
  });
  return found;
}
