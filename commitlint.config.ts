import { areaPrefix, imperativeSubject, reasonInBody } from './tools/commits/commit-rules.ts';

const ERROR = 2;

/** Rules for commit messages, which `./dev commits` and the hook of `./dev hooks` check. */
export default {
  plugins: [
    {
      rules: {
        'area-prefix': areaPrefix,
        'imperative-subject': imperativeSubject,
        'reason-in-body': reasonInBody,
      },
    },
  ],
  rules: {
    'area-prefix': [ERROR, 'always'],
    'imperative-subject': [ERROR, 'always'],
    'header-max-length': [ERROR, 'always', 72],
    'header-trim': [ERROR, 'always'],
    'subject-full-stop': [ERROR, 'never', '.'],
    'body-leading-blank': [ERROR, 'always'],
    'reason-in-body': [ERROR, 'always'],
  },
  helpUrl: 'STYLE.md',
  // Areas such as "mcp config" have a space, which the default pattern does not allow.
  parserPreset: {
    parserOpts: { headerPattern: /^([^:]+): (.*)$/, headerCorrespondence: ['type', 'subject'] },
  },
};
