import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createProseLinter, RULE_IDS, type Finding } from './prose/linter.ts';
import { listTexts, readText } from './prose/list-texts.ts';

/**
 * `./dev prose` checks everything a user reads against STYLE.md. Arguments select files by a part of
 * their path; `--root` checks another checkout, `--counts` prints only the count per rule.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      root: { type: 'string', default: join(import.meta.dirname, '..') },
      counts: { type: 'boolean', default: false },
    },
  });
  const root = resolve(values.root);
  const paths = listTexts(root).filter(
    (path) => positionals.length === 0 || positionals.some((part) => path.includes(part)),
  );
  const linter = await createProseLinter();
  const findings: Finding[] = [];
  for (const path of paths) findings.push(...(await linter.lint(path, readText(root, path))));
  if (!values.counts) {
    for (const { path, line, column, rule, message } of findings) {
      process.stdout.write(`${path}:${line}:${column} ${rule}: ${message}\n`);
    }
  }
  for (const rule of RULE_IDS) {
    const count = findings.filter((finding) => finding.rule === rule).length;
    process.stdout.write(`${String(count).padStart(6)}  ${rule}\n`);
  }
  const failed = new Set(findings.map(({ path }) => path));
  for (const path of failed) {
    const count = findings.filter((finding) => finding.path === path).length;
    process.stdout.write(`failed ${path}: ${count === 1 ? '1 finding' : `${count} findings`}\n`);
  }
  process.stdout.write(`${findings.length} findings in ${paths.length} files\n`);
  process.stdout.write(`${paths.length - failed.size} passed, ${failed.size} failed\n`);
  return findings.length === 0 ? 0 : 1;
}

process.exitCode = await main();
