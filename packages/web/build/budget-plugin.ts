import type { Plugin, Rolldown } from 'vite';

/** Maximum size of what every reading page loads: scripts and styles, in bytes of Brotli. */
const READING_BUDGET_BYTES = 120_000;

/** Maximum size of each chunk that loads on demand. */
const CHUNK_BUDGET_BYTES = 55_000;

interface BundleSizes {
  /** Scripts and styles that the shell loads. */
  reading: number;
  /** Chunks that load on demand, largest first. */
  lazy: { file: string; bytes: number }[];
}

/** Measures the files of a bundle as they are served: by their compressed copies. */
function measureBundle(bundle: Rolldown.OutputBundle): BundleSizes {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const initial = new Set<string>();
  function load(fileName: string): void {
    const chunk = chunks.find((one) => one.fileName === fileName);
    if (chunk === undefined || initial.has(fileName)) return;
    initial.add(fileName);
    for (const imported of chunk.imports) load(imported);
  }
  for (const chunk of chunks) if (chunk.isEntry) load(chunk.fileName);
  const styles = Object.keys(bundle).filter((fileName) => fileName.endsWith('.css'));
  const lazy = chunks
    .filter(({ fileName }) => !initial.has(fileName))
    .map(({ fileName }) => ({ file: fileName, bytes: servedSize(bundle, fileName) }));
  return {
    reading: [...initial, ...styles].reduce((sum, name) => sum + servedSize(bundle, name), 0),
    lazy: lazy.toSorted((a, b) => b.bytes - a.bytes),
  };
}

function servedSize(bundle: Rolldown.OutputBundle, fileName: string): number {
  const compressed = bundle[`${fileName}.br`];
  if (compressed?.type !== 'asset') throw new Error(`${fileName} has no compressed copy.`);
  return Buffer.from(compressed.source).length;
}

/** Fails the build if the reading pages or a lazy chunk exceed their budget. */
export function budgetPlugin(): Plugin {
  return {
    name: 'catalog:budget',
    apply: 'build',
    enforce: 'post',
    writeBundle(_, bundle) {
      const { reading, lazy } = measureBundle(bundle);
      const largest = lazy[0] ?? { file: 'none', bytes: 0 };
      this.info(
        `reading pages: ${reading} of ${READING_BUDGET_BYTES} bytes; largest lazy chunk: ${largest.file}, ${largest.bytes} of ${CHUNK_BUDGET_BYTES} bytes (Brotli)`,
      );
      const over = lazy.filter(({ bytes }) => bytes > CHUNK_BUDGET_BYTES);
      const problems = [
        ...(reading > READING_BUDGET_BYTES ? [`reading pages, ${reading} bytes`] : []),
        ...over.map(({ file, bytes }) => `${file}, ${bytes} bytes`),
      ];
      if (problems.length > 0) this.error(`Over the size budget: ${problems.join('; ')}.`);
    },
  };
}
