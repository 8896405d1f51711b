import { posix } from 'node:path';
import type { Node } from 'oxc-parser';
import type { SourceFile } from './source-file.ts';
import { walk } from './walk.ts';

export interface Import {
  specifier: string | undefined;
  start: number;
  /** Type stripping removes the import. */
  type_only: boolean;
}

export function listImports(source: SourceFile): Import[] {
  const imports: Import[] = [];
  walk(source.program, (node) => {
    const found = importOf(node);
    if (found) imports.push(found);
  });
  return imports;
}

function importOf(node: Node): Import | undefined {
  const { start } = node;
  if (node.type === 'ImportDeclaration') {
    return { specifier: node.source.value, start, type_only: node.importKind === 'type' };
  }
  if (node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration') {
    if (!node.source) return undefined;
    return { specifier: node.source.value, start, type_only: node.exportKind === 'type' };
  }
  if (node.type === 'TSImportType') {
    return { specifier: node.source.value, start, type_only: true };
  }
  if (node.type !== 'ImportExpression') return undefined;
  const literal = node.source.type === 'Literal' ? node.source.value : undefined;
  return { specifier: typeof literal === 'string' ? literal : undefined, start, type_only: false };
}

export function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const [, name, subpath] = /^@catalog\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  return name === undefined ? undefined : `packages/${name}/src/${subpath}.ts`;
}
