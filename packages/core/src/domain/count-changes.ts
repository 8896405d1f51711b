import { pathAndAbove } from './domain-path.ts';

export interface CountChange {
  path: string;
  artifact_count: number;
  recursive_count: number;
  file_count: number;
}

export interface CountChanges {
  note(domain: string, by: number): void;
  noteFile(path: string, by: number): void;
  list(): CountChange[];
}

export function countChanges(): CountChanges {
  const changes = new Map<string, CountChange>();

  function at(path: string): CountChange {
    let change = changes.get(path);
    if (change === undefined) {
      change = { path, artifact_count: 0, recursive_count: 0, file_count: 0 };
      changes.set(path, change);
    }
    return change;
  }

  return {
    note(domain, by) {
      at(domain).artifact_count += by;
      for (const path of pathAndAbove(domain)) at(path).recursive_count += by;
    },
    noteFile(domain, by) {
      for (const path of pathAndAbove(domain)) at(path).file_count += by;
    },
    list: () => [...changes.values()].filter(isNonZero),
  };
}

function isNonZero({ artifact_count, recursive_count, file_count }: CountChange): boolean {
  return artifact_count !== 0 || recursive_count !== 0 || file_count !== 0;
}
