import { escapeControls } from '@catalog/core/text/escape-controls';
import { escapeXml } from '@catalog/core/text/escape-xml';
import type { TestReport } from './run-tests.ts';

/** JUnit XML: a suite for each artifact, a case for each question. */
export function renderJunit({ tested, rejected, passed, failed }: TestReport): string {
  const suites = tested.map(({ id, triggers }) => {
    const failures = triggers.filter((trigger) => !trigger.passed).length;
    const cases = triggers.map(({ query, reason, above }) => {
      const head = `    <testcase classname="${quote(id)}" name="${quote(query)}"`;
      if (reason === undefined) return `${head}/>`;
      const detail = above.length === 0 ? '' : quote(`above: ${above.join(', ')}`);
      return `${head}>\n      <failure message="${quote(reason)}">${detail}</failure>\n    </testcase>`;
    });
    return [
      `  <testsuite name="${quote(id)}" tests="${triggers.length}" failures="${failures}" errors="0">`,
      ...cases,
      '  </testsuite>',
    ].join('\n');
  });
  const errors = rejected.map(({ id, reason }) =>
    [
      `  <testsuite name="${quote(id)}" tests="1" failures="0" errors="1">`,
      `    <testcase classname="${quote(id)}" name="evals/triggers.yaml">`,
      `      <error message="${quote(reason)}"/>`,
      '    </testcase>',
      '  </testsuite>',
    ].join('\n'),
  );
  const tests = passed + failed + rejected.length;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="${tests}" failures="${failed}" errors="${rejected.length}">
${[...suites, ...errors].join('\n')}
</testsuites>
`;
}

function quote(text: string): string {
  return escapeXml(escapeControls(text));
}
