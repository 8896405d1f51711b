import { describe } from 'vitest';
import { objectsConformance } from '@catalog/core/conformance/objects/objects.conformance';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { newId } from '../id.ts';
import { openFilesystemObjects } from './filesystem-objects.ts';
import { createMemoryObjects } from './memory-objects.ts';

describe('objects in a folder', () => {
  objectsConformance(() => openFilesystemObjects({ root: `${temporaryFolder()}/objects`, newId }));
});

describe('objects in memory', () => {
  objectsConformance(async () => createMemoryObjects());
});
