import type { Plugin } from 'vite';

const FONT = /\/inter-[^/]*\.woff2$/;

/**
 * Preloads the text font. Otherwise the browser requests it during the first layout and repeats the
 * layout when the font arrives.
 */
export function preloadFontPlugin(): Plugin {
  return {
    name: 'catalog:preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const font = Object.keys(bundle).find((fileName) => FONT.test(fileName));
        if (font === undefined)
          throw new Error('The bundle does not contain the font of the text.');
        return [
          {
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `/app/${font}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: true,
            },
            injectTo: 'head',
          },
        ];
      },
    },
  };
}
