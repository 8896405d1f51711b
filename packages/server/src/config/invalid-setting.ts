import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { SettingKey } from './settings.ts';

export function invalidSetting(
  key: SettingKey,
  message: string,
  suggested_action: string,
  fields?: SettingKey[],
): CatalogError {
  return new CatalogError('config.invalid', message, {
    details: { key, ...(fields === undefined ? {} : { fields }) },
    suggested_action,
  });
}
