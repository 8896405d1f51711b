import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { RouterProvider } from 'react-aria-components';
import { Route, Router, Switch, useLocation, useSearch } from 'wouter';
import { monotonicMs } from '../clock.ts';
import { ArtifactPage } from '../pages/artifact/artifact-page.tsx';
import { DomainPage } from '../pages/domain-page.tsx';
import { HomePage } from '../pages/home-page.tsx';
import { NotFoundPage } from '../pages/not-found-page.tsx';
import { SearchPage } from '../pages/search-page.tsx';
import { lazyComponent } from '../parts/lazy-component.tsx';
import { Skeleton } from '../parts/notice.tsx';
import { Banners } from './banners.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Header } from './header.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { BASE, decodePath } from './links.ts';
import * as pageStyles from '../parts/page.module.css';
import * as styles from './app.module.css';

const LayersPage = lazyComponent('layers', async () => {
  return (await import('../pages/layers/layers-page.tsx')).LayersPage;
});
const LayerPage = lazyComponent('layer', async () => {
  return (await import('../pages/layers/layer-page.tsx')).LayerPage;
});
const RegisterPage = lazyComponent('register', async () => {
  return (await import('../pages/layers/register-page.tsx')).RegisterPage;
});
const EditPage = lazyComponent('edit', async () => {
  return (await import('../pages/layers/edit-page.tsx')).EditPage;
});
const AccountPage = lazyComponent('account', async () => {
  return (await import('../pages/account-page.tsx')).AccountPage;
});

/** Renders the web UI with its router. */
export function App(): ReactElement {
  return (
    <Router base={BASE}>
      <Frame />
    </Router>
  );
}

function Frame(): ReactElement {
  const [, navigate] = useLocation();
  return (
    <RouterProvider navigate={navigate} useHref={(href) => `${BASE}${href}`}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <Header />
      <Banners />
      <FocusAndScroll />
      <main id="main" tabIndex={-1}>
        <PageErrors>
          <Pages />
        </PageErrors>
      </main>
      <Shortcuts />
    </RouterProvider>
  );
}

function PageErrors({ children }: { children: ReactNode }): ReactElement {
  const [path] = useLocation();
  return <ErrorBoundary page={`${path}?${useSearch()}`}>{children}</ErrorBoundary>;
}

// A pattern with `*` does not match line breaks, so a URL with one would show an empty page.
const BELOW_BROWSE = /^\/browse\/(?<rest>.*)$/s;
const BELOW_ARTIFACTS = /^\/artifacts\/(?<rest>.*)$/s;
const ANYTHING = /^/;

function Pages(): ReactElement {
  const loading = (
    <div className={pageStyles.page}>
      <Skeleton label="Loading the page" />
    </div>
  );
  return (
    <Switch>
      <Route path="/" component={HomePage} />
      <Route path="/browse">
        <DomainPage path="" />
      </Route>
      <Route path={BELOW_BROWSE}>
        {({ rest }) => <At path={rest} page={(path) => <DomainPage path={path} />} />}
      </Route>
      <Route path="/search" component={SearchPage} />
      <Route path={BELOW_ARTIFACTS}>
        {({ rest }) => <At path={rest} page={(id) => <ArtifactPage key={id} id={id} />} />}
      </Route>
      <Route path="/layers">
        <LayersPage loading={loading} />
      </Route>
      <Route path="/layers/new">
        <RegisterPage loading={loading} />
      </Route>
      <Route path="/layers/:id/edit">
        {(params) => (
          <At path={params.id} page={(id) => <EditPage key={id} id={id} loading={loading} />} />
        )}
      </Route>
      <Route path="/layers/:id">
        {(params) => (
          <At path={params.id} page={(id) => <LayerPage key={id} id={id} loading={loading} />} />
        )}
      </Route>
      <Route path="/account">
        <AccountPage loading={loading} />
      </Route>
      <Route path={ANYTHING} component={NotFoundPage} />
    </Switch>
  );
}

interface AtProps {
  path: string | undefined;
  page: (decoded: string) => ReactElement;
}

function At({ path = '', page }: AtProps): ReactElement {
  const decoded = decodePath(path);
  return decoded === undefined ? <NotFoundPage /> : page(decoded);
}

/** Moves the focus to the new content and scrolls to the top, like loading a page. */
function FocusAndScroll(): null {
  const [path] = useLocation();
  const search = useSearch();
  // Typing in the search field changes the URL of the search page.
  const page = path === '/search' ? path : `${path}?${search}`;
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    if (page === '/search') return;
    // A control that changes the URL of its page keeps the focus.
    if (document.activeElement?.matches('main input, main select') === true) return;
    document.getElementById('main')?.focus({ preventScroll: true });
    if (!isTraversal()) scrollTo(0, 0);
  }, [page]);
  return null;
}

let traversedAt = -Infinity;
addEventListener('popstate', ({ timeStamp }) => {
  traversedAt = timeStamp;
});

const TRAVERSAL_MS = 100;

/** Returns true after back or forward, when the browser restores the scroll position. */
function isTraversal(): boolean {
  return monotonicMs() - traversedAt < TRAVERSAL_MS;
}
