import { z } from 'zod';

/** Time in RFC 3339, UTC (CONV-04). */
export const timestamp = z.iso.datetime();

export const contentHash = z.string().regex(/^sha256:[0-9a-f]{64}$/);

export const artifactId = z.string().min(1).max(512);

export const count = z.int().nonnegative();
