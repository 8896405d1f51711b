import { escapeControls } from '@catalog/contract/text/escape-controls';

interface Output {
  write(text: string): unknown;
  color?: boolean | undefined;
}

const COLORS: Readonly<Record<string, number>> = {
  warn: 33,
  error: 31,
  fatal: 31,
  debug: 2,
  trace: 2,
};

const FIXED_FIELDS = ['level', 'time', 'msg', 'error'];
/** Fields that only programs use. They are part of JSON lines. */
const FOR_PROGRAMS = ['job', 'request_id', 'trace_id', 'client_address', 'bytes'];

const OMITTED_FIELDS: ReadonlySet<string> = new Set([...FIXED_FIELDS, ...FOR_PROGRAMS]);

export function createTextStream(output: Output): { write(line: string): void } {
  return {
    write(line) {
      output.write(`${formatLine(JSON.parse(line), output.color === true)}\n`);
    },
  };
}

function formatLine(entry: Record<string, unknown>, color: boolean): string {
  const level = String(entry['level']);
  const time = String(entry['time']).slice(11, 19);
  const fields = Object.entries(entry)
    .filter(([name]) => !OMITTED_FIELDS.has(name))
    .map(([name, value]) => `${name}=${formatValue(value)}`);
  const head = level === 'info' ? '' : `${level}: `;
  const text = escapeControls([`${head}${String(entry['msg'])}`, ...fields].join(' '));
  const code = COLORS[level];
  const painted = color && code !== undefined ? `\u001B[${code}m${text}\u001B[0m` : text;
  return [`${time} ${painted}`, ...formatError(entry['error'])].join('\n');
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return typeof value === 'number' && !Number.isInteger(value)
    ? String(Math.round(value * 10) / 10)
    : JSON.stringify(value);
}

function formatError(error: unknown): string[] {
  if (typeof error !== 'object' || error === null || !('stack' in error)) return [];
  return String(error.stack)
    .split('\n')
    .map((line) => `  ${escapeControls(line)}`);
}
