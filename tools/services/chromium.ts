import { installDebianPackages } from './debian-packages.ts';

export interface Chromium {
  program: string;
  env: Record<string, string>;
}

/** A real browser; unpacked the first time. Where there is no Debian, one can be named. */
export async function installChromium(): Promise<Chromium> {
  const named = process.env['CATALOG_TEST_CHROMIUM'];
  if (named !== undefined) return { program: named, env: {} };
  const { program, env } = await installDebianPackages('chromium', ['chromium']);
  return { program: program('usr/lib/chromium/chromium'), env };
}
