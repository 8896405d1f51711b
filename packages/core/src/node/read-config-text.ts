import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isMissing } from './is-missing.ts';
import { reasonOf } from './read-entry.ts';
import { MAX_TEXT_BYTES, readRegularFile } from './read-regular-file.ts';

export interface ConfigTextAdvice {
  missing?: string;
  unreadable: string;
}

export function readConfigText(
  path: string,
  required: boolean,
  advice: ConfigTextAdvice,
): string | undefined {
  try {
    return readRegularFile(path, MAX_TEXT_BYTES).toString('utf8');
  } catch (cause) {
    const missing = isMissing(cause);
    if (missing && !required) return undefined;
    if (missing) {
      throw new CatalogError('config.not_found', `Configuration file not found: ${path}.`, {
        details: { path },
        ...(advice.missing === undefined ? {} : { suggested_action: advice.missing }),
      });
    }
    throw new CatalogError('config.invalid', `The configuration file ${path} ${reasonOf(cause)}.`, {
      details: { path },
      suggested_action: advice.unreadable,
      cause,
    });
  }
}
