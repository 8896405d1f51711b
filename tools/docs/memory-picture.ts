import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../../bench/benchmark.ts';
import { parseSamples, type MemorySample } from '../../bench/memory/samples.ts';

const PATH = 'docs/pictures/memory-under-load.svg';
const SAMPLES = 'bench/memory/samples.csv';

const LINES = [
  { column: 'rss', title: 'resident memory', color: '#1d4ed8' },
  { column: 'heap_total', title: 'JavaScript heap', color: '#b45309' },
  { column: 'heap_used', title: 'used heap', color: '#d97706' },
  { column: 'external', title: 'external buffers', color: '#15803d' },
] as const;

const [WIDTH, HEIGHT] = [760, 380];
const PLOT = { left: 60, right: 740, top: 50, bottom: 330 };
const MB_STEP = 100;
const MINUTES_STEP = 10;

export function memoryPicture(root: string): { path: string; present: string; wanted: string } {
  const file = join(root, PATH);
  const samples = parseSamples(readFileSync(join(root, SAMPLES), 'utf8'));
  return {
    path: PATH,
    present: existsSync(file) ? readFileSync(file, 'utf8') : '',
    wanted: drawMemory(samples),
  };
}

export function drawMemory(samples: readonly MemorySample[]): string {
  const minutes = Math.max(1, Math.ceil((samples.at(-1)?.seconds ?? 0) / 60));
  const highest = Math.max(MB_STEP, ...samples.map(({ rss }) => rss));
  const maxMegabytes = Math.ceil(highest / MB_STEP) * MB_STEP;
  const x = (minute: number): number => PLOT.left + ((PLOT.right - PLOT.left) * minute) / minutes;
  const y = (mb: number): number => PLOT.bottom - ((PLOT.bottom - PLOT.top) * mb) / maxMegabytes;
  const byMinute = [...Map.groupBy(samples, ({ seconds }) => Math.floor(seconds / 60))];

  const grid = steps(maxMegabytes, MB_STEP).flatMap((mb) => [
    `  <path d="M${PLOT.left} ${at(y(mb))} H${PLOT.right}" stroke="#e2e8f0"/>`,
    `  <text x="${PLOT.left - 8}" y="${at(y(mb) + 4)}" text-anchor="end">${mb}</text>`,
  ]);
  const times = steps(minutes, MINUTES_STEP).map(
    (minute) =>
      `  <text x="${at(x(minute))}" y="${PLOT.bottom + 20}" text-anchor="middle">${minute}</text>`,
  );
  const lines = LINES.map(({ column, color }) => {
    const points = byMinute.map(([minute, some]) => {
      const mb = median(some.map((sample) => sample[column]));
      return `${at(x(minute))} ${at(y(mb))}`;
    });
    return `  <path d="M${points.join(' L')}" fill="none" stroke="${color}" stroke-width="2"/>`;
  });
  const legend = LINES.map(
    ({ title, color }, index) =>
      `  <text x="${PLOT.left + index * 175}" y="30" fill="${color}" font-weight="600">${title}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13">`,
    '  <title id="title">Memory of one process under a fixed load, in MB, by minute.</title>',
    `  <rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    '  <g fill="#475569">',
    ...grid,
    ...times,
    `  <text x="${(PLOT.left + PLOT.right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">minutes of load</text>`,
    '  </g>',
    ...lines,
    ...legend,
    '</svg>',
    '',
  ].join('\n');
}

function steps(last: number, step: number): number[] {
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step);
}

function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}
