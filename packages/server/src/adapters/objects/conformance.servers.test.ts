import { describe, onTestFinished } from 'vitest';
import { objectsConformance } from '@catalog/core/conformance/objects/objects.conformance';
import { openTestBucket } from '@catalog/testkit/s3-bucket';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { now } from '../clock.ts';
import { newId } from '../id.ts';
import { openFilesystemObjects } from './filesystem-objects.ts';
import { createMemoryObjects } from './memory-objects.ts';
import { openS3Objects } from './s3-objects.ts';

describe('objects in a folder', () => {
  objectsConformance(() => openFilesystemObjects({ root: `${temporaryFolder()}/objects`, newId }));
});

describe('objects in memory', () => {
  objectsConformance(async () => createMemoryObjects(now));
});

describe('objects in S3', () => {
  objectsConformance(async () => {
    const bucket = await openTestBucket();
    onTestFinished(() => bucket.empty());
    return openS3Objects(bucket.options);
  });
});
