import {
  getMember,
  isContainer,
  MERGE_KEY,
  type YamlContainer,
  type YamlDocument,
  type YamlItem,
  type YamlNode,
} from './yaml-document.ts';

export function mergeOf(
  { root }: YamlDocument,
  map: YamlContainer,
  name: string,
): YamlItem | undefined {
  if (getMember(map, MERGE_KEY) === undefined) return undefined;
  const anchored = new Map<string, YamlNode[]>();
  if (root !== undefined) collectAnchored(root, anchored);
  const seen = new Set<YamlNode>();
  const brings = (node: YamlNode): boolean => {
    if (seen.has(node)) return false;
    seen.add(node);
    if (node.kind === 'alias') return (anchored.get(node.name) ?? []).some(brings);
    if (!isContainer(node)) return false;
    if (node.kind === 'array') return node.items.some(({ value }) => brings(value));
    return (
      getMember(node, name) !== undefined ||
      node.items.some(({ key, value }) => key === MERGE_KEY && brings(value))
    );
  };
  return map.items.find(({ key, value }) => key === MERGE_KEY && brings(value));
}

function collectAnchored(node: YamlNode, anchored: Map<string, YamlNode[]>): void {
  if (node.anchor !== undefined) {
    anchored.set(node.anchor, [...(anchored.get(node.anchor) ?? []), node]);
  }
  if (isContainer(node)) for (const { value } of node.items) collectAnchored(value, anchored);
}
