import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compareWithBaseline, readBaseline, writeBaseline } from './prose/baseline.ts';
import { checkCode } from './prose/check-code.ts';
import { createProseLinter, RULE_IDS, type Finding } from './prose/linter.ts';
import { listCode, listOldRecords, listTexts, readText } from './prose/list-texts.ts';

/**
 * `./dev prose` checks everything a user reads, comments, test titles and decision records against
 * STYLE.md. Arguments select files by a part of their path; `--root` checks another checkout, `--counts`
 * prints only the count per rule. `--all` also prints what the baseline covers; `--shrink` removes the
 * lines of the baseline that no finding needs.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      root: { type: 'string', default: join(import.meta.dirname, '..') },
      counts: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      shrink: { type: 'boolean', default: false },
    },
  });
  const root = resolve(values.root);
  const isSelected = (path: string): boolean =>
    positionals.length === 0 || positionals.some((part) => path.includes(part));
  const paths = listTexts(root).filter(isSelected);
  const records = listOldRecords(root).filter(isSelected);
  const code = [...listCode(root)].filter(([path]) => isSelected(path));
  const linter = await createProseLinter();
  const lint = async (list: readonly string[]): Promise<Finding[]> => {
    const findings: Finding[] = [];
    for (const path of list) findings.push(...(await linter.lint(path, readText(root, path))));
    return findings;
  };
  const strict = await lint(paths);
  const covered = [
    ...(await lint(records)),
    ...code.flatMap(([path, text]) => checkCode(path, text)),
  ];
  const { added, needed, stale } = compareWithBaseline(covered, readBaseline(root));
  if (values.shrink && positionals.length === 0) writeBaseline(root, needed);
  const findings = [...strict, ...(values.all ? covered : added)];
  report(findings, { counts: values.counts });
  const files = new Set([...paths, ...records, ...code.map(([path]) => path)]).size;
  const failed = new Set(findings.map(({ path }) => path)).size;
  process.stdout.write(`${needed.length} older findings in comments, test titles and records\n`);
  process.stdout.write(`${findings.length} findings in ${files} files\n`);
  const isStale = stale > 0 && positionals.length === 0 && !values.shrink;
  if (isStale) {
    process.stdout.write(
      `failed tools/prose/baseline.txt: ${stale} lines have no finding; run ./dev prose --shrink\n`,
    );
  }
  process.stdout.write(`${files - failed} passed, ${failed + Number(isStale)} failed\n`);
  return findings.length === 0 && !isStale ? 0 : 1;
}

function report(findings: readonly Finding[], { counts }: { counts: boolean }): void {
  if (!counts) {
    for (const { path, line, column, rule, message } of findings) {
      process.stdout.write(`${path}:${line}:${column} ${rule}: ${message}\n`);
    }
  }
  for (const rule of RULE_IDS) {
    const count = findings.filter((finding) => finding.rule === rule).length;
    process.stdout.write(`${String(count).padStart(6)}  ${rule}\n`);
  }
  for (const [path, own] of Map.groupBy(findings, (finding) => finding.path)) {
    const count = own.length === 1 ? '1 finding' : `${own.length} findings`;
    process.stdout.write(`failed ${path}: ${count}\n`);
  }
}

process.exitCode = await main();
