import type { Plugin } from 'vite';

const OTHER_LOCALE =
  /\/react-(?:aria|aria-components|stately)\/dist\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.mjs$/;

/** Replaces React Aria's strings in 33 languages by the English ones, because every visitor would load all of them. */
export function englishPlugin(): Plugin {
  return {
    name: 'catalog:english',
    enforce: 'pre',
    load(id) {
      return OTHER_LOCALE.test(id) ? `export { default } from './en-US.mjs';` : undefined;
    },
  };
}
