import { z } from 'zod';

/** RFC 3339 in UTC (CONV-04). */
export const timestamp = z.iso.datetime();

/** `sha256:` and 64 hex digits. */
export const contentHash = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** A slash-separated artifact id. */
export const artifactId = z.string().min(1).max(512);

/** A count of something. */
export const count = z.int().nonnegative();
