/** An addition that `docs/add-a.md` describes. */
export interface Example {
  heading: string;
  /** Name of the patch, without its extension. */
  patch: string;
  /** Test files that fail if the patch is incomplete. */
  tests: readonly string[];
}

export const EXAMPLES: readonly Example[] = [
  {
    heading: 'Lint rule',
    patch: 'lint-rule',
    tests: ['packages/core/src/lint/rules.test.ts', 'packages/core/src/lint/conformance.test.ts'],
  },
  {
    heading: 'Endpoint',
    patch: 'endpoint',
    tests: [
      'packages/contract/src/endpoints/table.test.ts',
      'packages/server/src/http/routes/check-admin.http.test.ts',
      'tests/stress/authz-matrix/authz-matrix.servers.test.ts',
    ],
  },
  {
    heading: 'Adapter',
    patch: 'adapter',
    tests: [
      'packages/harness/src/adapters/acme/acme.test.ts',
      'packages/harness/src/adapters.test.ts',
      'packages/harness/src/adapters/adapters.golden.test.ts',
      'tests/harness-pages.test.ts',
    ],
  },
  {
    heading: 'Setting',
    patch: 'setting',
    tests: ['packages/server/src/observe/log-probes.http.test.ts'],
  },
  {
    heading: 'CLI command',
    patch: 'cli-command',
    tests: [
      'packages/cli/src/command/table.test.ts',
      'packages/cli/src/commands/home/home.test.ts',
    ],
  },
  {
    heading: 'Store method',
    patch: 'store-method',
    tests: ['packages/server/src/adapters/store/sqlite/conformance.test.ts'],
  },
  {
    heading: 'Table',
    patch: 'table',
    tests: [
      'packages/server/src/adapters/store/sqlite/conformance.test.ts',
      'packages/server/src/adapters/store/sqlite/migrations/migrate.test.ts',
      'packages/server/src/adapters/store/sqlite/plain-tables.test.ts',
      'packages/server/src/complete-copy.servers.test.ts',
    ],
  },
];
