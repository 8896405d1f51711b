/** One name for one place, so that what is wanted and what is found can meet. */
export function placeOf({ container, key }: { container: readonly string[]; key: string }): string {
  return JSON.stringify([container, key]);
}

/** Whether two paths are the same. */
export function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && startsWith(a, b);
}

/** Whether a path begins with all the names of another. */
export function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((name, index) => path[index] === name);
}

/** Each path once. */
export function uniquePaths(paths: readonly (readonly string[])[]): string[][] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), [...path]])).values()];
}
