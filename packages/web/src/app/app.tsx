import { lazy, Suspense, useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { RouterProvider } from 'react-aria-components';
import { Route, Router, Switch, useLocation, useSearch } from 'wouter';
import { monotonicMs } from '../clock.ts';
import { ArtifactPage } from '../pages/artifact/artifact-page.tsx';
import { DomainPage } from '../pages/domain-page.tsx';
import { HomePage } from '../pages/home-page.tsx';
import { NotFoundPage } from '../pages/not-found-page.tsx';
import { SearchPage } from '../pages/search-page.tsx';
import { Skeleton } from '../parts/notice.tsx';
import { Banners } from './banners.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Header } from './header.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { BASE, decodePath } from './links.ts';

const LayersPage = lazy(async () => ({
  default: (await import('../pages/layers/layers-page.tsx')).LayersPage,
}));
const LayerPage = lazy(async () => ({
  default: (await import('../pages/layers/layer-page.tsx')).LayerPage,
}));
const RegisterPage = lazy(async () => ({
  default: (await import('../pages/layers/register-page.tsx')).RegisterPage,
}));
const AccountPage = lazy(async () => ({
  default: (await import('../pages/account-page.tsx')).AccountPage,
}));

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
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Header />
      <Banners />
      <FocusAndScroll />
      <main id="main" tabIndex={-1}>
        <PageErrors>
          <Suspense
            fallback={
              <div className="page">
                <Skeleton label="Loading the page" />
              </div>
            }
          >
            <Pages />
          </Suspense>
        </PageErrors>
      </main>
      <Shortcuts />
    </RouterProvider>
  );
}

/** Catches the errors of a page until another page or tab is opened. */
function PageErrors({ children }: { children: ReactNode }): ReactElement {
  const [path] = useLocation();
  return <ErrorBoundary page={`${path}?${useSearch()}`}>{children}</ErrorBoundary>;
}

function Pages(): ReactElement {
  return (
    <Switch>
      <Route path="/" component={HomePage} />
      <Route path="/browse">
        <DomainPage path="" />
      </Route>
      <Route path="/browse/*">
        {(params) => <DomainPage path={decodePath(params['*'] ?? '')} />}
      </Route>
      <Route path="/search" component={SearchPage} />
      <Route path="/artifacts/*">
        {(params) => {
          const id = decodePath(params['*'] ?? '');
          return <ArtifactPage key={id} id={id} />;
        }}
      </Route>
      <Route path="/layers" component={LayersPage} />
      <Route path="/layers/new" component={RegisterPage} />
      <Route path="/layers/:id">{({ id }) => <LayerPage key={id} id={decodePath(id)} />}</Route>
      <Route path="/account" component={AccountPage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}

/** Moves the focus to the content of a new page and scrolls to its top, as a page load would. */
function FocusAndScroll(): null {
  const [path] = useLocation();
  const search = useSearch();
  // Every letter in the search field changes the query of the search page.
  const page = path === '/search' ? path : `${path}?${search}`;
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    if (page === '/search') return;
    // A control that changes the query of its page keeps the focus.
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

/** Returns true right after back or forward, when the browser restores the scroll position. */
function isTraversal(): boolean {
  return monotonicMs() - traversedAt < TRAVERSAL_MS;
}
