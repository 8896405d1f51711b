import type { Node } from 'oxc-parser';

export interface Edit {
  operator: string;
  start: number;
  end: number;
  replacement: string;
}

type Operator = (node: Node, text: string, parent: Node | undefined) => Edit | undefined;

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
};

const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '+=': '-=',
  '-=': '+=',
};

const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', '??': '&&' };

/** Methods and what to replace them by, which behaves almost the same. */
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  find: 'findLast',
  findLast: 'find',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  push: 'unshift',
  unshift: 'push',
  min: 'max',
  max: 'min',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
};

/** The result of such a method could be replaced with its receiver. */
const REMOVABLE: ReadonlySet<string> = new Set([
  'filter',
  'slice',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'trim',
  'trimEnd',
  'trimStart',
  'replace',
  'replaceAll',
]);

function replaceNode(operator: string, node: Node, replacement: string): Edit {
  return { operator, start: node.start, end: node.end, replacement };
}

const negateCondition: Operator = (node, text) => {
  if (!('test' in node) || !node.test || node.type === 'SwitchCase') return undefined;
  const { test } = node;
  return replaceNode('condition', test, `!(${text.slice(test.start, test.end)})`);
};

const swapOperator: Operator = (node, text) => {
  if (
    node.type !== 'BinaryExpression' &&
    node.type !== 'LogicalExpression' &&
    node.type !== 'AssignmentExpression'
  ) {
    return undefined;
  }
  const swapped =
    COMPARISONS[node.operator] ?? ARITHMETIC[node.operator] ?? LOGIC[node.operator] ?? undefined;
  if (swapped === undefined) return undefined;
  const between = text.slice(node.left.end, node.right.start);
  const start = node.left.end + between.indexOf(node.operator);
  return { operator: 'operator', start, end: start + node.operator.length, replacement: swapped };
};

const flipLiteral: Operator = (node) => {
  if (node.type !== 'Literal' || typeof node.value !== 'boolean') return undefined;
  return replaceNode('boolean', node, String(!node.value));
};

/** Skips prose, which is not behavior. */
const emptyString: Operator = (node, text) => {
  if (node.type === 'TemplateLiteral') {
    const prose = node.quasis.some((quasi) => isProse(quasi.value.raw));
    return prose ? undefined : replaceNode('string', node, '``');
  }
  if (node.type !== 'Literal' || typeof node.value !== 'string') return undefined;
  if (isProse(text.slice(node.start + 1, node.end - 1))) return undefined;
  return replaceNode('string', node, node.value === '' ? "'mutant'" : "''");
};

function isProse(text: string): boolean {
  return /[a-z,.:] [a-z`"']|[a-z] $|^ [a-z]/i.test(text);
}

const dropReturn: Operator = (node, text) => {
  if (node.type === 'ReturnStatement' && node.argument) {
    return isUndefined(node.argument)
      ? undefined
      : replaceNode('return', node.argument, 'undefined');
  }
  if (node.type !== 'ArrowFunctionExpression' || node.body.type === 'BlockStatement') {
    return undefined;
  }
  const bare = text.slice(node.body.start, node.body.end);
  return bare === 'undefined' ? undefined : replaceNode('return', node.body, 'undefined');
};

function isUndefined(node: Node): boolean {
  return node.type === 'Identifier' && node.name === 'undefined';
}

const removeStatement: Operator = (node, _, parent) => {
  const removable =
    node.type === 'ThrowStatement' ||
    node.type === 'ContinueStatement' ||
    (node.type === 'ExpressionStatement' && !('directive' in node && node.directive));
  if (!removable || parent?.type === 'ArrowFunctionExpression') return undefined;
  return replaceNode('statement', node, ';');
};

const requireChain: Operator = (node, text) => {
  if ((node.type !== 'MemberExpression' && node.type !== 'CallExpression') || !node.optional) {
    return undefined;
  }
  const before = node.type === 'MemberExpression' ? node.object.end : node.callee.end;
  const start = text.indexOf('?.', before);
  const dotted = node.type === 'MemberExpression' && !node.computed;
  return { operator: 'chain', start, end: start + 2, replacement: dotted ? '.' : '' };
};

const swapMethod: Operator = (node) => {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  const { object, property } = node.callee;
  if (property.type !== 'Identifier' || node.callee.computed) return undefined;
  const swapped = Object.hasOwn(METHODS, property.name) ? METHODS[property.name] : undefined;
  if (swapped !== undefined) return replaceNode('method', property, swapped);
  if (!REMOVABLE.has(property.name)) return undefined;
  return { operator: 'method', start: object.end, end: node.end, replacement: '' };
};

/** In such a list, the first matching rule decides. */
const swapRules: Operator = (node, text) => {
  if (!isRuleList(node)) return undefined;
  const [first, second] = node.elements;
  if (!first || !second) return undefined;
  const between = text.slice(first.end, second.start);
  const swapped = `${text.slice(second.start, second.end)}${between}${text.slice(first.start, first.end)}`;
  return { operator: 'rules', start: first.start, end: second.end, replacement: swapped };
};

const dropRule: Operator = (node, _, parent) => {
  if (!parent || !isRuleList(parent)) return undefined;
  const next = parent.elements[parent.elements.findIndex((element) => element === node) + 1];
  const end = next ? next.start : node.end;
  return { operator: 'rules', start: node.start, end, replacement: '' };
};

function isRuleList(node: Node): node is Extract<Node, { type: 'ArrayExpression' }> {
  return (
    node.type === 'ArrayExpression' &&
    node.elements.some((element) => element?.type === 'ArrowFunctionExpression')
  );
}

/** Each operator proposes at most one edit per node. */
export const operators: readonly Operator[] = [
  negateCondition,
  swapOperator,
  flipLiteral,
  emptyString,
  dropReturn,
  removeStatement,
  requireChain,
  swapMethod,
  swapRules,
  dropRule,
];
