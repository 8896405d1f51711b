export function placeOf({ container, key }: { container: readonly string[]; key: string }): string {
  return JSON.stringify([container, key]);
}

export function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && startsWith(a, b);
}

export function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((name, index) => path[index] === name);
}

export function uniquePaths(paths: readonly (readonly string[])[]): string[][] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), [...path]])).values()];
}
