/** Mutant that behaves like the original. */
export interface EquivalentMutant {
  file: string;
  context: string;
  /** The change as `./dev mutate` prints it. */
  change: string;
  /** Counts equal changes on one line; 0 by default. */
  nth?: number;
  why: string;
}

/** Excluded from the sample. A mutant that merely lacks a test does not belong here. */
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
    file: 'packages/harness/src/managed/edit-container.ts',
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
    file: 'packages/harness/src/managed/json/edit-managed-json.ts',
    context: 'const alone = comments.every(({ start }) => start > root.start && start < root.end);',
    change: '> -> >=',
    why: 'A comment cannot start where the object does.',
  },
  {
    file: 'packages/core/src/authorize.ts',
    context:
      'const error = toCatalogError({ code, message, details, retryable: false, suggested_action });',
    change: 'false -> true',
    why: 'Whether an error may be tried again is told by its code alone.',
  },
  {
    file: 'packages/core/src/authorize.ts',
    context: "const FOLDER: NamedSource = { source_type: 'local', repo: '' };",
    change: "'local' -> ''",
    why: 'Whatever is not `git` is a place on the host.',
  },
  {
    file: 'packages/core/src/authorize.ts',
    context: "const FOLDER: NamedSource = { source_type: 'local', repo: '' };",
    change: "'' -> 'mutant'",
    why: 'The repository of a folder is not looked at.',
  },
  {
    file: 'packages/core/src/authorize.ts',
    context: "kind: 'refused',",
    change: "'refused' -> ''",
    why: 'Who asks only compares with `admitted`.',
  },
  {
    file: 'packages/core/src/authorize.ts',
    context: "return { kind: 'refused', code: 'auth.forbidden', message };",
    change: "'refused' -> ''",
    why: 'Who asks only compares with `admitted`.',
  },
  {
    file: 'packages/core/src/authorize.ts',
    context:
      "if (access === 'none' || access === 'scim' || access === 'posture') return undefined;",
    change: "'none' -> ''",
    why: 'No identity is read there, so the caller is nobody or anybody, and both pass below.',
  },
  {
    file: 'packages/core/src/authorize.ts',
    context:
      "if (access === 'none' || access === 'scim' || access === 'posture') return undefined;",
    change: "'scim' -> ''",
    why: 'No identity is read there, so the caller is nobody or anybody, and both pass below.',
  },
  {
    file: 'packages/core/src/authorize.ts',
    context:
      "if (access === 'none' || access === 'scim' || access === 'posture') return undefined;",
    change: '|| -> &&',
    why: 'Leaves the posture alone; for the other two nobody is refused below either.',
  },
  {
    file: 'packages/core/src/authorize.ts',
    context: "caller.kind === 'subject' ? caller.is_operator === true : caller.kind === 'open';",
    change: "'open' -> ''",
    why: 'Where nobody is told apart there is one tenant, and its routes are refused before.',
  },
  {
    file: 'packages/core/src/authorize.ts',
    context:
      "`Only administrators can set ${asserts.map((field) => `\\`${field}\\``).join(', ')}.`,",
    change: "', ' -> ''",
    why: 'Every field is still named; what stands between the names is prose.',
  },
  {
    file: 'packages/core/src/authorize.ts',
    context:
      'throw toCatalogError({ code, message, details, retryable: false, suggested_action });',
    change: 'false -> true',
    why: 'Whether asking again may help is a property of the code; the catalogue has it.',
  },
];
