import type { RegisteredLayer } from '@catalog/contract/records/layer';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import { changes } from '../../api/changes.ts';
import { layersQuery, sessionQuery } from '../../api/queries.ts';
import { useRegistryState } from '../../api/registry-state.ts';
import { layerHref } from '../../app/links.ts';
import { readStored, store, tab } from '../../app/storage.ts';
import { useTitle } from '../../app/title.ts';
import { Failure } from '../../parts/failure.tsx';
import { countOf, shortReference } from '../../parts/format.ts';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { SignInLink } from '../../parts/sign-in-link.tsx';
import {
  AUDIENCES,
  checkDraft,
  EMPTY_DRAFT,
  toBody,
  type Audience,
  type DraftProblems,
  type LayerDraft,
} from './layer-draft.ts';
import { useLayerChange } from './use-layer-change.ts';
import { WebhookInstructions } from './webhook-steps.tsx';

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
    <div className="page form-page">
      <nav className="crumb" aria-label="Layers">
        <Link href="/layers">Layers</Link>
        <i aria-hidden="true">/</i>
        <span aria-current="page">new</span>
      </nav>
      {register.data === undefined ? (
        <>
          <h1>Add a layer</h1>
          <p className="lead">
            A layer is a git repository or a folder with artifacts. The registry reads it now and
            after every change.
          </p>
          {mustSignIn && (
            <Notice kind="warn" title="Sign in to add a layer">
              What you type here is kept while you sign in.{' '}
              <SignInLink className="link">Sign in</SignInLink>
            </Notice>
          )}
          {/* The notice above would move the form. */}
          {session.isPending ? (
            <Skeleton label="Loading the session" lines={8} />
          ) : (
            <LayerForm
              isPending={register.isPending}
              error={register.error}
              onSubmit={(draft) =>
                register.mutate(toBody(draft), {
                  onSuccess: () => store(tab, DRAFT_KEY, undefined),
                })
              }
            />
          )}
        </>
      ) : (
        <Registered result={register.data} />
      )}
    </div>
  );
}

const AUDIENCE_TEXTS: Readonly<Record<Audience, { label: string; explains: string }>> = {
  organization: {
    label: 'Organization',
    explains: 'Every signed-in user sees it.',
  },
  groups: {
    label: 'Groups',
    explains: 'Members of these groups see it, as your identity provider reports them.',
  },
  users: { label: 'Users', explains: 'Only the people you name see it.' },
  public: {
    label: 'Everyone',
    explains: 'Also people who are not signed in see it.',
  },
};

function isAudience(value: string): value is Audience {
  return AUDIENCES.some((audience) => audience === value);
}

function LayerForm({
  isPending,
  error,
  onSubmit,
}: {
  isPending: boolean;
  error: Error | null;
  onSubmit: (draft: LayerDraft) => void;
}): ReactElement {
  const [draft, setDraft] = useState(readDraft);
  const [problems, setProblems] = useState<DraftProblems>({});
  const test = useMutation({ mutationFn: changes.testSource });
  const existing = useQuery(layersQuery());
  const { read_only_lag_seconds } = useRegistryState();
  const isTaken = existing.data?.layers.some(({ id }) => id === draft.id) ?? false;

  function change(part: Partial<LayerDraft>): void {
    const next = { ...draft, ...part };
    setDraft(next);
    test.reset();
    store(tab, DRAFT_KEY, JSON.stringify(next));
    if (Object.keys(problems).length > 0) setProblems(checkDraft(next));
  }
  /** Runs `then` if the draft is complete; otherwise leads to the first field that is not. */
  function whenComplete(form: HTMLFormElement | null, then: () => void): void {
    const found = checkDraft(draft);
    setProblems(found);
    const [first] = Object.keys(found);
    if (first === undefined) then();
    else form?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  }
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    whenComplete(event.currentTarget, () => onSubmit(draft));
  }
  const field = (name: 'id' | 'repo' | 'ref' | 'root' | 'local_path' | 'groups' | 'users') => ({
    name,
    value: draft[name],
    problem: problems[name],
    onChange: (value: string) => change({ [name]: value }),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Field label="Name" {...field('id')}>
        {isTaken
          ? 'A layer with this name exists. Adding it again replaces its settings.'
          : 'Identifies the layer, such as platform or payments.'}
      </Field>
      <fieldset className="choices">
        <legend>Source</legend>
        {(['git', 'local'] as const).map((type) => (
          <label key={type} className="choice">
            <input
              type="radio"
              name="source_type"
              checked={draft.source_type === type}
              onChange={() => change({ source_type: type })}
            />
            <span>
              <b>{type === 'git' ? 'Git repository' : 'Folder on the server'}</b>
              <small>
                {type === 'git'
                  ? 'Read from a branch or tag; a webhook reports every push.'
                  : 'For development and single machines. Only administrators may add one.'}
              </small>
            </span>
          </label>
        ))}
      </fieldset>
      {draft.source_type === 'git' ? (
        <>
          <Field
            label="Repository"
            placeholder="https://github.com/acme/agents.git"
            {...field('repo')}
          >
            An HTTPS or SSH URL that the server can read.
          </Field>
          <div className="field">
            <label htmlFor="git-provider">Git host</label>
            <select
              id="git-provider"
              value={draft.git_provider}
              onChange={({ target }) => change({ git_provider: target.value })}
            >
              <option value="github">GitHub</option>
              <option value="gitlab">GitLab</option>
              <option value="bitbucket">Bitbucket</option>
            </select>
            <small>Decides how webhooks are verified.</small>
          </div>
          <div className="field-pair">
            <Field label="Branch or tag (optional)" placeholder="main" {...field('ref')} />
            <Field label="Folder in it (optional)" placeholder="agents" {...field('root')} />
          </div>
        </>
      ) : (
        <Field label="Path" placeholder="/srv/agents" {...field('local_path')} />
      )}
      <fieldset className="choices">
        <legend>Who sees it</legend>
        {AUDIENCES.map((audience) => (
          <label key={audience} className="choice">
            <input
              type="radio"
              name="audience"
              value={audience}
              checked={draft.audience === audience}
              onChange={({ target }) =>
                isAudience(target.value) && change({ audience: target.value })
              }
            />
            <span>
              <b>{AUDIENCE_TEXTS[audience].label}</b>
              <small>{AUDIENCE_TEXTS[audience].explains}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {draft.audience === 'groups' && (
        <Field label="Groups" placeholder="payments, platform" {...field('groups')}>
          Separated by commas.
        </Field>
      )}
      {draft.audience === 'users' && (
        <Field label="Users" placeholder="alice, bob@example.com" {...field('users')}>
          Subjects or email addresses, separated by commas.
        </Field>
      )}
      {test.data !== undefined && (
        <Notice title="The registry can read this source">
          {test.data.commit === undefined
            ? 'The folder exists.'
            : `The newest commit is ${shortReference(test.data.commit)}.`}
        </Notice>
      )}
      {test.error !== null && <Failure error={test.error} />}
      {error !== null && <Failure error={error} />}
      <div className="form-actions">
        <button
          type="submit"
          className="button primary"
          disabled={isPending || read_only_lag_seconds !== undefined}
        >
          {isPending ? 'Adding…' : 'Add the layer'}
        </button>
        <button
          type="button"
          className="button"
          disabled={test.isPending}
          onClick={({ currentTarget: { form } }) =>
            whenComplete(form, () => test.mutate(toBody(draft)))
          }
        >
          {test.isPending ? 'Testing…' : 'Test the source'}
        </button>
        <Link className="button" href="/layers">
          Cancel
        </Link>
      </div>
    </form>
  );
}

function Field({
  label,
  name,
  value,
  placeholder,
  problem,
  onChange,
  children,
}: {
  label: string;
  name: string;
  value: string;
  placeholder?: string;
  problem: string | undefined;
  onChange: (value: string) => void;
  children?: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={`${id}-text`}
        onChange={({ target }) => onChange(target.value)}
      />
      <small id={`${id}-text`} className={problem === undefined ? undefined : 'problem'}>
        {problem ?? children}
      </small>
    </div>
  );
}

function Registered({ result }: { result: RegisteredLayer }): ReactElement {
  const { layer, webhook_url, webhook_secret, restored_versions = 0 } = result;
  return (
    <>
      <h1>{layer.id} was added</h1>
      <p className="lead">The first ingest has started.</p>
      {restored_versions > 0 && (
        <Notice kind="warn" title="This layer was removed earlier">
          Exact pins load {countOf(restored_versions, 'version')} of the removed layer again.
        </Notice>
      )}
      {layer.source_type === 'git' && webhook_url !== undefined && (
        <>
          <h2>Set up the webhook</h2>
          <p>A push is then ingested within seconds. Without it, the registry polls.</p>
          <WebhookInstructions
            provider={layer.git_provider}
            url={webhook_url}
            secret={webhook_secret}
          />
        </>
      )}
      <Link className="button primary" href={layerHref(layer.id)}>
        Watch the ingest
      </Link>
    </>
  );
}
