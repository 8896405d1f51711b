import type { Plugin, Rolldown } from 'vite';

/** Maximum size, compressed with Brotli, of the scripts and styles that every reading page loads. */
const READING_BUDGET_BYTES = 120_000;

/** Maximum size, compressed with Brotli, of each script that the document names. */
const SCRIPT_BUDGET_BYTES = 85_000;

/** Maximum size, compressed with Brotli, of each chunk that loads on demand. */
const CHUNK_BUDGET_BYTES = 55_000;

/** Module that the document starts, which is part of a chunk group and not an entry chunk. */
const MAIN = /\/src\/main\.tsx$/;

interface BundleSizes {
  reading: number;
  /** Scripts that the document names, largest first. */
  initial: { file: string; bytes: number }[];
  /** Scripts that load on demand, largest first. */
  lazy: { file: string; bytes: number }[];
}

/** Measures the compressed copies, which the server sends. */
function measureBundle(bundle: Rolldown.OutputBundle): BundleSizes {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const initial = new Set<string>();
  function load(fileName: string): void {
    const chunk = chunks.find((one) => one.fileName === fileName);
    if (chunk === undefined || initial.has(fileName)) return;
    initial.add(fileName);
    for (const imported of chunk.imports) load(imported);
  }
  const [main] = chunks.filter(({ moduleIds }) => moduleIds.some((id) => MAIN.test(id)));
  if (main === undefined) throw new Error('No chunk contains the entry of the web UI.');
  load(main.fileName);
  const styles = Object.keys(bundle).filter((fileName) => fileName.endsWith('.css'));
  const sizes = chunks
    .map(({ fileName }) => ({ file: fileName, bytes: servedSize(bundle, fileName) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  return {
    initial: sizes.filter(({ file }) => initial.has(file)),
    reading: [...initial, ...styles].reduce((sum, name) => sum + servedSize(bundle, name), 0),
    lazy: sizes.filter(({ file }) => !initial.has(file)),
  };
}

function servedSize(bundle: Rolldown.OutputBundle, fileName: string): number {
  const compressed = bundle[`${fileName}.br`];
  if (compressed?.type !== 'asset') throw new Error(`${fileName} has no compressed copy.`);
  return Buffer.from(compressed.source).length;
}

export function budgetPlugin(): Plugin {
  return {
    name: 'catalog:budget',
    apply: 'build',
    enforce: 'post',
    writeBundle(_, bundle) {
      const { reading, initial, lazy } = measureBundle(bundle);
      const largest = lazy[0] ?? { file: 'none', bytes: 0 };
      this.info(
        `reading pages: ${reading} of ${READING_BUDGET_BYTES} bytes; largest lazy chunk: ${largest.file}, ${largest.bytes} of ${CHUNK_BUDGET_BYTES} bytes (Brotli)`,
      );
      const over = [
        ...initial.filter(({ bytes }) => bytes > SCRIPT_BUDGET_BYTES),
        ...lazy.filter(({ bytes }) => bytes > CHUNK_BUDGET_BYTES),
      ];
      const problems = [
        ...(reading > READING_BUDGET_BYTES ? [`reading pages, ${reading} bytes`] : []),
        ...over.map(({ file, bytes }) => `${file}, ${bytes} bytes`),
      ];
      if (problems.length > 0) this.error(`Over the size budget: ${problems.join('; ')}.`);
    },
  };
}
