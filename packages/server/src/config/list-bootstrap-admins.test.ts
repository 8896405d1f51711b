import { describe, expect, test } from 'vitest';
import { listBootstrapAdmins } from './list-bootstrap-admins.ts';

describe('listBootstrapAdmins', () => {
  test('uses each entry unchanged in a single-tenant registry', () => {
    const bootstrap_admins = ['ada', 'cn=bob,ou=people'];
    expect(listBootstrapAdmins({ bootstrap_admins, multi_tenant: false })).toEqual([
      { tenant: 'default', user_id: 'ada' },
      { tenant: 'default', user_id: 'cn=bob,ou=people' },
    ]);
  });

  test('splits each entry of a multi-tenant registry at the first equals sign', () => {
    const bootstrap_admins = ['acme=ada', 'globex corp = cn=bob'];
    expect(listBootstrapAdmins({ bootstrap_admins, multi_tenant: true })).toEqual([
      { tenant: 'acme', user_id: 'ada' },
      { tenant: 'globex corp', user_id: 'cn=bob' },
    ]);
  });

  test.each(['ada', '=ada', 'acme=', 'acme= ', '886313e1-3b8a-5372-9b90-0c9aee199e5d=ada'])(
    'rejects %s in a multi-tenant registry',
    (entry) => {
      const read = () => listBootstrapAdmins({ bootstrap_admins: [entry], multi_tenant: true });
      expect(read).toThrow(
        expect.objectContaining({
          code: 'config.invalid',
          details: { key: 'bootstrap_admins', value: entry },
        }),
      );
    },
  );
});
