import type { ReactElement } from 'react';
import { followLink } from '../app/follow-link.ts';
import { artifactHref, BASE } from '../app/links.ts';
import { ArtifactName } from './artifact-name.tsx';
import { RESULT } from './result-keys.ts';

export function ArtifactLink({ id }: { id: string }): ReactElement {
  return (
    <a href={`${BASE}${artifactHref(id)}`} onClick={followLink} {...RESULT}>
      <ArtifactName id={id} />
    </a>
  );
}
