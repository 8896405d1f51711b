import {
  ERROR_NAMESPACES,
  ERROR_CODES,
  type ErrorDefinition,
} from '@catalog/contract/errors/error-codes';
import { errorDetails } from '@catalog/contract/errors/details';
import { code, page, table } from './markdown.ts';

export function errorsPage(): string {
  return page('Errors', 'packages/contract/src/errors', [
    'Every error, on the wire, in a batch item and on stdout under `--json`, is an envelope with `code`, ' +
      '`message`, `details`, `retryable` and `suggested_action`.',
    'Status: the HTTP status, if the error can be an HTTP response; `*` marks a status that the specification ' +
      'leaves open. Exit: the exit code of the command line (1 failure, 2 usage or configuration, 3 transient: a ' +
      'retry is safe, 4 authentication). `+` marks a code that the specification does not define.',
    ...ERROR_NAMESPACES.flatMap((namespace) => [`## ${namespace}`, namespaceTable(namespace)]),
  ]);
}

function namespaceTable(namespace: string): string {
  const rows = Object.entries<ErrorDefinition>(ERROR_CODES).filter(([name]) =>
    name.startsWith(`${namespace}.`),
  );
  return table(
    ['Code', 'When', 'Next step', 'Status', 'Retry', 'Exit', '`details`'],
    rows.map(([name, row]) => [
      `${code(name)}${row.addition ? ' +' : ''}`,
      row.summary,
      row.suggested_action,
      row.status === null ? 'none' : `${row.status}${row.assumed ? ' *' : ''}`,
      row.retryable ? 'yes' : 'no',
      String(row.exit),
      detailsOf(name),
    ]),
  );
}

function detailsOf(name: string): string {
  const [, schema] = Object.entries(errorDetails).find(([known]) => known === name) ?? [];
  return Object.keys(schema?.shape ?? {})
    .map(code)
    .join(', ');
}
