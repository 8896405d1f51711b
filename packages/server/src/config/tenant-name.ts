import { tenantName } from '@catalog/contract/records/access';
import { INVALID_FIELD, type Check } from '@catalog/core/manifest/field-checks';

export const tenant: Check<string> = {
  shape: 'the name of a tenant',
  read(value, at) {
    const name = tenantName.safeParse(value);
    if (name.success) return name.data;
    at.problems.push({
      path: [...at.path],
      code: INVALID_FIELD,
      message: '`tenant` must be the name of a tenant.',
      fix: 'Use a name from `catalog admin tenant list`.',
    });
    return undefined;
  },
};
