import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

/** Files to compress; fonts are compressed already. */
const COMPRESSIBLE = /\.(?:js|css|html)$/;

const compress = promisify(brotliCompress);

/** Writes a Brotli copy of each compressible file as `<file>.br`. */
export function compressPlugin(): Plugin {
  return {
    name: 'catalog:compress',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const files = Object.values(bundle).filter(({ fileName }) => COMPRESSIBLE.test(fileName));
        await Promise.all(
          files.map(async (file) => {
            const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
            const compressed = await compress(source, {
              params: {
                [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
                [constants.BROTLI_PARAM_SIZE_HINT]: source.length,
              },
            });
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: compressed });
          }),
        );
      },
    },
  };
}
