/** A mutant no test can tell from the original, and why. */
export interface EquivalentMutant {
  file: string;
  /** The line it stands on, without its indentation. */
  context: string;
  /** The change as `./dev mutate` prints it. */
  change: string;
  why: string;
}

/** Left out of the sample. Every entry is argued; what merely has no test yet does not belong here. */
export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'packages/core/src/artifact/content-hash.ts',
    context: 'return size > scratch.length ? Buffer.allocUnsafe(size) : scratch;',
    change: '> -> >=',
    why: 'At equality both buffers hold the encoding.',
  },
  {
    file: 'packages/core/src/version/pin.ts',
    context: 'if (version === undefined) return false;',
    change: 'false -> undefined',
    why: 'The callers only ask whether it is true.',
  },
  {
    file: 'packages/core/src/manifest/plain-yaml.ts',
    context: "const line = lines[index] ?? '';",
    change: "'' -> 'mutant'",
    why: 'The index is below the length; the default is for the type.',
  },
  {
    file: 'packages/core/src/text/nearest.ts',
    context: 'if (Math.abs(a.length - b.length) >= limit) return limit;',
    change: 'limit -> undefined',
    why: 'Neither is below the best distance so far.',
  },
  {
    file: 'packages/harness/src/managed-json/edit-container.ts',
    context: 'const trailing = items.at(-1)?.comma !== undefined;',
    change: '?. -> .',
    why: 'Something remains, so there is a last item.',
  },
  {
    file: 'packages/core/src/lint/list-repairs.ts',
    context: "return word.replace(/[-_\\s]/g, '').toLowerCase();",
    change: 'toLowerCase -> toUpperCase',
    why: 'Both sides of every comparison pass through it.',
  },
  {
    file: 'packages/core/src/artifact/field-types.ts',
    context: "create: () => ({ format: '', ref: '' }),",
    change: "'' -> 'mutant'",
    why: 'Both members are required; a record without them is refused.',
  },
  {
    file: 'packages/harness/src/managed-json/edit-managed-json.ts',
    context: 'const alone = comments.every(({ start }) => start > root.start && start < root.end);',
    change: '> -> >=',
    why: 'A comment cannot start where the object does.',
  },
];
