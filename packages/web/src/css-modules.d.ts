/** Class names. `styles.test.ts` compares the names that components use with those of their modules. */
declare module '*.module.css';
declare module '*.css' {}
