import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { budgetPlugin } from './build/budget-plugin.ts';
import { createClassName } from './build/class-names.ts';
import { compressPlugin } from './build/compress-plugin.ts';
import { englishPlugin } from './build/english-plugin.ts';
import { preloadFontPlugin } from './build/preload-font-plugin.ts';

const SOURCE = join(import.meta.dirname, 'src');

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  publicDir: false,
  plugins: [englishPlugin(), react(), preloadFontPlugin(), compressPlugin(), budgetPlugin()],
  resolve: {
    conditions: ['@catalog/source', ...defaultClientConditions],
    alias: [
      // Hashing is the only part of core that needs Node.
      { find: 'node:crypto', replacement: join(SOURCE, 'node/crypto.ts') },
      // The browser version assigns to `innerHTML`, which Trusted Types rejects.
      {
        find: 'decode-named-character-reference',
        replacement: fileURLToPath(import.meta.resolve('decode-named-character-reference')),
      },
    ],
  },
  css: { modules: { generateScopedName: createClassName } },
  build: {
    target: 'baseline-widely-available',
    // Data URLs would need a wider Content Security Policy.
    assetsInlineLimit: 0,
    // One style sheet, so that the order of rules does not depend on which chunk arrives first.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /rolldown\/runtime|node_modules\/(?:react|react-dom|scheduler|wouter|@tanstack)\//,
              priority: 5,
            },
            // All other code of the first page, so that the following groups load on demand.
            { name: 'app', test: /web\/src\/(?:main\.tsx|parts\/[^/]*\.module\.css)/, priority: 4 },
            {
              name: 'widgets',
              test: /node_modules\/react-(?:aria|aria-components|stately)\//,
              priority: 2,
            },
            { name: 'layers', test: /web\/src\/pages\/layers\//, priority: 1 },
            {
              name: 'reader',
              test: /web\/src\/(?:lazy\/read-record|parts\/code-block)|core\/src\/artifact\/read-artifact/,
              priority: 1,
            },
          ],
        },
      },
      transform: { inject: { Buffer: [join(SOURCE, 'node/buffer.ts'), 'Buffer'] } },
    },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8080', '/objects': 'http://127.0.0.1:8080' } },
});
