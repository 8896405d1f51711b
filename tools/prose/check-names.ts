import { basename } from 'node:path';
import type { BindingPattern, Node, ParamPattern } from 'oxc-parser';
import { columnAt, lineAt, type SourceFile } from '../syntax/source-file.ts';
import { walk } from '../syntax/walk.ts';
import type { Finding } from './linter.ts';

/** Parts of names that a reader must decode, with what to write. */
const FORBIDDEN_PARTS: ReadonlyMap<string, string> = new Map([
  ['anew', 're- as a prefix'],
  ['asked', 'requested'],
  ['begun', 'started'],
  ['behaviour', 'behavior'],
  ['beside', 'with, or next to'],
  ['catalogue', 'catalog'],
  ['elsewhere', 'the name of the other place'],
  ['everybody', 'all users'],
  ['heard', 'received'],
  ['most', 'max'],
  ['neighbour', 'neighbor'],
  ['neighbourhood', 'neighborhood'],
  ['nobody', 'anonymous, or none'],
  ['nonsense', 'malformed'],
  ['nowhere', 'none'],
  ['said', 'reported'],
  ['says', 'reports, or includes'],
  ['somebody', 'a user, or a client'],
  ['surely', 'the guarantee'],
  ['tell', 'report, or notify'],
  ['tells', 'reports'],
  ['told', 'reported, or notified'],
  ['whoever', 'any user'],
]);

/** Separates the parts of `camelCase`, `UPPER_CASE` and file names. */
const BETWEEN_PARTS = /[_\-.]|(?<=[a-z\d])(?=[A-Z])/;

interface Name {
  text: string;
  start: number;
}

/**
 * Checks the names that a TypeScript file declares, and its own name. Keys of objects are not checked,
 * because many are part of a format; nor are scripts that catalog writes into workspaces.
 */
export function checkNames({ path, text, program }: SourceFile): Finding[] {
  if (path.endsWith('.mjs')) return [];
  const names: Name[] = [{ text: basename(path), start: 0 }];
  walk(program, (node) => names.push(...declaredNames(node)));
  return names.flatMap(({ text: name, start }) =>
    name
      .split(BETWEEN_PARTS)
      .map((part) => part.toLowerCase())
      .filter((part) => FORBIDDEN_PARTS.has(part))
      .map((part) => ({
        rule: 'names',
        path,
        line: lineAt(text, start),
        column: columnAt(text, start),
        message: `the name ${name}: write ${FORBIDDEN_PARTS.get(part)} for "${part}".`,
        words: name,
      })),
  );
}

function declaredNames(node: Node): Name[] {
  if (
    node.type === 'VariableDeclarator' ||
    node.type === 'ClassDeclaration' ||
    node.type === 'TSInterfaceDeclaration' ||
    node.type === 'TSTypeAliasDeclaration'
  ) {
    return boundNames(node.id);
  }
  if (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  ) {
    return [...boundNames(node.id), ...node.params.flatMap(boundNames)];
  }
  return [];
}

/** Lists the names of a pattern. A shorthand repeats a key of the object. */
function boundNames(pattern: BindingPattern | ParamPattern | null): Name[] {
  if (pattern === null) return [];
  if (pattern.type === 'Identifier') return [{ text: pattern.name, start: pattern.start }];
  if (pattern.type === 'AssignmentPattern') return boundNames(pattern.left);
  if (pattern.type === 'RestElement') return boundNames(pattern.argument);
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap(boundNames);
  if (pattern.type !== 'ObjectPattern') return [];
  return pattern.properties.flatMap((property) => {
    if (property.type === 'RestElement') return boundNames(property.argument);
    return property.shorthand ? [] : boundNames(property.value);
  });
}
