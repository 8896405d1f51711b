import { readFile, rename, writeFile } from 'node:fs/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ReceiverFile } from '@catalog/core/ports/receiver-file';
import { z } from 'zod';

const FORMAT_VERSION = 1;

const receiverFile = z.strictObject({
  format_version: z.literal(FORMAT_VERSION),
  receivers: z.array(
    z.strictObject({
      id: z.string().min(1),
      url: z.string(),
      secret: z.string().min(1),
      previous_secret: z.string().nullable(),
      previous_secret_until: z.iso.datetime().nullable(),
      event_filter: z.array(z.string()).nullable(),
      debounce_ms: z.int().nullable(),
      // Files of earlier releases lack this field.
      ordered: z.boolean().default(false),
      disabled_by: z.enum(['admin', 'failures', 'gone', 'restore']).nullable(),
      created_at: z.iso.datetime(),
    }),
  ),
});

/** Opens the file at `webhooks.store_path`, which only its owner can read because it contains secrets. */
export function openReceiverFile(path: string): ReceiverFile {
  let last = Promise.resolve();
  return {
    async read() {
      let text: string;
      try {
        text = await readFile(path, 'utf8');
      } catch (cause) {
        if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
        throw unreadable(path, cause);
      }
      try {
        return receiverFile.parse(JSON.parse(text)).receivers;
      } catch (cause) {
        throw unreadable(path, cause);
      }
    },
    write(list) {
      const written = replaceAfter(last, list);
      last = written.catch(() => undefined);
      return written;
    },
  };

  async function replaceAfter(
    before: Promise<void>,
    list: Parameters<ReceiverFile['write']>[0],
  ): Promise<void> {
    await before;
    const content = { format_version: FORMAT_VERSION, receivers: await list() };
    const draft = `${path}.new`;
    const text = `${JSON.stringify(content, undefined, 2)}\n`;
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, path);
  }
}

function unreadable(path: string, cause: unknown): CatalogError {
  return new CatalogError(
    'config.invalid',
    `The file of webhook receivers, ${path}, cannot be read, or is not such a file.`,
    {
      cause,
      details: { key: 'webhooks.store_path', path },
      suggested_action:
        'Restore the file from a backup, or move it away to continue with the receivers in the metadata store.',
    },
  );
}
