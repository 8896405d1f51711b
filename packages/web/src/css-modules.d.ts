/** `styles.test.ts` compares the class names in components with those in their modules. */
declare module '*.module.css';
declare module '*.css' {}
