import type { Node } from 'oxc-parser';
import { lineAt, type SourceFile } from '../../tools/syntax/source-file.ts';
import { walk } from '../../tools/syntax/walk.ts';
import type { Finding, Rule } from './finding.ts';
import {
  CLOCK_FILE,
  ENVIRONMENT_READERS,
  IMPURE_GLOBALS,
  RANDOM_FILE,
  RANDOM_FUNCTIONS,
} from './rules.ts';

/**
 * Finds reads of the clock or the environment, random values and, in a pure package, all other
 * access outside of the arguments. A name that the file declares is not the global.
 */
export function findImpurities(source: SourceFile, pure: boolean): Finding[] {
  const findings: Finding[] = [];
  const bound = boundNames(source);
  const clockAllowed = !pure && CLOCK_FILE.test(source.path);
  const randomAllowed = !pure && RANDOM_FILE.test(source.path);
  const environmentAllowed = ENVIRONMENT_READERS.has(source.path);

  walk(source.program, (node, ancestors) => {
    if (!clockAllowed) report(pure ? 'impure' : 'clock', node, clockRead(node, bound));
    if (!randomAllowed) report(pure ? 'impure' : 'random', node, randomDraw(node, bound));
    if (!environmentAllowed && readsEnvironment(node)) {
      report('environment', node, 'reads the environment');
    }
    if (!pure || node.type !== 'Identifier' || !isReference(node, ancestors)) return;
    if (IMPURE_GLOBALS.has(node.name) && !bound.has(node.name)) {
      report('impure', node, `a pure package uses ${node.name}`);
    }
  });
  return findings;

  function report(rule: Rule, node: Node, message: string | undefined): void {
    if (message === undefined) return;
    findings.push({ rule, file: source.path, line: lineAt(source.text, node.start), message });
  }
}

function clockRead(node: Node, bound: ReadonlySet<string>): string | undefined {
  if (node.type === 'NewExpression' && node.callee.type === 'Identifier') {
    return node.callee.name === 'Date' && node.arguments.length === 0 ? 'new Date()' : undefined;
  }
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier') {
    return node.callee.name === 'Date' ? 'Date()' : undefined;
  }
  const name = globalMember(node, bound);
  return name === 'Date.now' || name === 'performance.now' ? name : undefined;
}

function randomDraw(node: Node, bound: ReadonlySet<string>): string | undefined {
  if (node.type === 'ImportSpecifier' && node.imported.type === 'Identifier') {
    return RANDOM_FUNCTIONS.has(node.imported.name) ? node.imported.name : undefined;
  }
  const name = globalMember(node, bound);
  if (name === undefined || name === 'Math.random') return name;
  const [object, property = ''] = name.split('.');
  return object === 'crypto' && RANDOM_FUNCTIONS.has(property) ? name : undefined;
}

function globalMember(node: Node, bound: ReadonlySet<string>): string | undefined {
  const name = memberName(node);
  return name === undefined || bound.has(name.slice(0, name.indexOf('.'))) ? undefined : name;
}

function readsEnvironment(node: Node): boolean {
  if (memberName(node) === 'process.env') return true;
  return node.type === 'ImportDeclaration' && node.source.value === 'node:process';
}

function memberName(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined;
  if (node.computed) {
    const { property } = node;
    if (property.type !== 'Literal' || typeof property.value !== 'string') return undefined;
    return `${node.object.name}.${property.value}`;
  }
  return node.property.type === 'Identifier'
    ? `${node.object.name}.${node.property.name}`
    : undefined;
}

/** True if an identifier refers to a value, and is not the name of a member or a type. */
function isReference(node: Node, ancestors: readonly Node[]): boolean {
  const parent = ancestors.at(-1);
  if (parent === undefined || parent.type.startsWith('TS')) return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed;
  if (parent.type === 'Property' || parent.type === 'PropertyDefinition') {
    return parent.value === node || parent.computed;
  }
  return parent.type !== 'MethodDefinition';
}

/** Returns the names that the file declares or imports in any scope, except from Node. */
function boundNames(source: SourceFile): Set<string> {
  const names = new Set<string>();
  walk(source.program, (node, ancestors) => {
    const parent = ancestors.at(-1);
    if (node.type !== 'Identifier' || parent === undefined) return;
    if (binds(parent, node, ancestors.at(-2))) names.add(node.name);
  });
  return names;
}

function binds(parent: Node, name: Node, grandparent: Node | undefined): boolean {
  if (parent.type === 'FunctionDeclaration' || parent.type === 'FunctionExpression') {
    return parent.id === name || parent.params.some((parameter) => parameter === name);
  }
  if (parent.type === 'ArrowFunctionExpression') {
    return parent.params.some((parameter) => parameter === name);
  }
  if (parent.type === 'VariableDeclarator' || parent.type === 'ClassDeclaration') {
    return parent.id === name;
  }
  if (parent.type === 'Property') {
    return parent.value === name && grandparent?.type === 'ObjectPattern';
  }
  const imported =
    parent.type === 'ImportSpecifier' ||
    parent.type === 'ImportDefaultSpecifier' ||
    parent.type === 'ImportNamespaceSpecifier';
  return imported && parent.local === name && !importsNode(grandparent);
}

function importsNode(node: Node | undefined): boolean {
  return node?.type === 'ImportDeclaration' && node.source.value.startsWith('node:');
}
