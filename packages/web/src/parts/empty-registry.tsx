import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { layersQuery, sessionQuery } from '../api/queries.ts';
import { Notice } from './notice.tsx';
import { SignInLink } from './sign-in-link.tsx';
import * as buttonStyles from './button.module.css';

export function EmptyRegistry(): ReactElement | null {
  const session = useQuery(sessionQuery);
  const layers = useQuery(layersQuery());
  const { data } = session;
  if (session.isPending || layers.isPending) return null;
  const isIdentified = data?.subject !== undefined;
  const isOpen = data?.identity_provider_configured === false && !data.public_mode;
  if (!isIdentified && data?.browser_auth.enabled === true) {
    return (
      <Notice title="Nothing here is public" action={<SignInLink>Sign in</SignInLink>}>
        This registry shows artifacts to signed-in users only.
      </Notice>
    );
  }
  if (layers.data !== undefined && layers.data.layers.length > 0) {
    return (
      <Notice
        title="No artifacts yet"
        action={
          <Link className={buttonStyles.primary} href="/layers">
            Check the layers
          </Link>
        }
      >
        The layers have no artifacts that you can see. Each layer shows the state of its last
        ingest.
      </Notice>
    );
  }
  if (!isIdentified && !isOpen) {
    return (
      <Notice title="No artifacts are visible to you">
        This registry has no artifacts that are public.
      </Notice>
    );
  }
  const add = (
    <Link className={buttonStyles.primary} href="/layers/new">
      Add a layer
    </Link>
  );
  return data?.layer_capabilities.manage_any_layer ? (
    <Notice title="No artifacts yet" action={add}>
      A registry serves the artifacts of its layers. Add a git repository or a folder as the first
      one.
    </Notice>
  ) : (
    <Notice title="No artifacts are visible to you" action={add}>
      No layer is shared with you. Ask an administrator for access, or add a layer that only you
      see.
    </Notice>
  );
}
