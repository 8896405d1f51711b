import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkCode } from './prose/check-code.ts';
import { checkNames } from './prose/check-names.ts';
import { checkRecord } from './prose/check-record.ts';
import { createProseLinter, RULE_IDS, type Finding } from './prose/linter.ts';
import { listCode, listRecords, listTexts, readText } from './prose/list-texts.ts';
import { loadSource } from './syntax/source-file.ts';

/**
 * `./dev prose` checks user-visible text, comments, test titles, names and decision records against
 * STYLE.md. Arguments select files by a part of their path. `--root` checks another checkout, and
 * `--counts` prints only the count per rule.
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
  const isSelected = (path: string): boolean =>
    positionals.length === 0 || positionals.some((part) => path.includes(part));
  const paths = listTexts(root).filter(isSelected);
  const records = listRecords(root).filter(isSelected);
  const code = [...listCode(root)].filter(([path]) => isSelected(path));
  const linter = await createProseLinter();
  const findings: Finding[] = [];
  for (const path of paths) findings.push(...(await linter.lint(path, readText(root, path))));
  for (const path of records) findings.push(...checkRecord(path, readText(root, path)));
  for (const [path, text] of code) {
    const source = loadSource(path, text);
    findings.push(...checkCode(source), ...checkNames(source));
  }
  report(findings, { counts: values.counts });
  const files = new Set([...paths, ...code.map(([path]) => path)]).size;
  const failed = new Set(findings.map(({ path }) => path)).size;
  process.stdout.write(`${findings.length} findings in ${files} files\n`);
  process.stdout.write(`${files - failed} passed, ${failed} failed\n`);
  return findings.length === 0 ? 0 : 1;
}

function report(findings: readonly Finding[], { counts }: { counts: boolean }): void {
  if (!counts) {
    for (const { path, line, column, rule, message } of findings) {
      process.stdout.write(`${path}:${line}:${column} ${rule}: ${message}\n`);
    }
  }
  for (const rule of [...RULE_IDS, 'names', 'record-form']) {
    const count = findings.filter((finding) => finding.rule === rule).length;
    process.stdout.write(`${String(count).padStart(6)}  ${rule}\n`);
  }
  for (const [path, own] of Map.groupBy(findings, (finding) => finding.path)) {
    const count = own.length === 1 ? '1 finding' : `${own.length} findings`;
    process.stdout.write(`failed ${path}: ${count}\n`);
  }
}

process.exitCode = await main();
