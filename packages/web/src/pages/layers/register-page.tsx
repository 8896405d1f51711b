import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { changes } from '../../api/changes.ts';
import { sessionQuery } from '../../api/queries.ts';
import { readStored, store, tab } from '../../app/storage.ts';
import { useTitle } from '../../app/title.ts';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { SignInLink } from '../../parts/sign-in-link.tsx';
import { EMPTY_DRAFT, rightsOf, toBody, type LayerDraft } from './layer-draft.ts';
import { LayerForm } from './layer-form.tsx';
import { RegisteredResult } from './registered-result.tsx';
import { useLayerChange } from './use-layer-change.ts';
import * as crumbsStyles from '../../parts/crumbs.module.css';
import * as pageStyles from '../../parts/page.module.css';
import * as textStyles from '../../parts/text.module.css';

const DRAFT_KEY = 'layer-draft';

function readDraft(): LayerDraft {
  const stored = readStored(tab, DRAFT_KEY);
  if (stored === undefined) return EMPTY_DRAFT;
  const draft: Partial<LayerDraft> = JSON.parse(stored);
  return { ...EMPTY_DRAFT, ...draft };
}

export function RegisterPage(): ReactElement {
  useTitle('Add a layer');
  const register = useLayerChange(changes.registerLayer);
  const session = useQuery(sessionQuery);
  const mustSignIn =
    session.data?.browser_auth.enabled === true && session.data.subject === undefined;
  return (
    <div className={pageStyles.narrow}>
      <nav className={crumbsStyles.crumbs} aria-label="Layers">
        <Link href="/layers">Layers</Link>
        <i aria-hidden="true">/</i>
        <span aria-current="page">new</span>
      </nav>
      {register.data === undefined ? (
        <>
          <h1>Add a layer</h1>
          <p className={pageStyles.lead}>
            A layer is a git repository or a folder with artifacts. The registry reads it now and
            after every change.
          </p>
          {/* The notice above the form would move the form if it came later. */}
          <QueryView query={session} loading={<Skeleton label="Loading the session" lines={8} />}>
            {(posture) => (
              <>
                {mustSignIn && (
                  <Notice kind="warn" title="Sign in to add a layer">
                    What you type here is kept while you sign in.{' '}
                    <SignInLink className={textStyles.link}>Sign in</SignInLink>
                  </Notice>
                )}
                <LayerForm
                  initial={readDraft()}
                  rights={rightsOf(posture)}
                  submitLabel="Add the layer"
                  isPending={register.isPending}
                  error={register.error}
                  onChange={(draft) => store(tab, DRAFT_KEY, JSON.stringify(draft))}
                  onSubmit={(draft) =>
                    register.mutate(toBody(draft), {
                      onSuccess: () => store(tab, DRAFT_KEY, undefined),
                    })
                  }
                />
              </>
            )}
          </QueryView>
        </>
      ) : (
        <RegisteredResult
          title={`${register.data.layer.id} was added`}
          lead="The first ingest has started."
          result={register.data}
        />
      )}
    </div>
  );
}
