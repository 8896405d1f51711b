import { Component, type ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Notice } from '../parts/notice.tsx';
import * as buttonStyles from '../parts/button.module.css';
import * as pageStyles from '../parts/page.module.css';

interface State {
  page: string;
  error: Error | undefined;
}

interface Props {
  /** Identity of the page; a new one clears the error of the last page. */
  page: string;
  children: ReactNode;
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { page: this.props.page, error: undefined };

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps({ page }: Props, state: State): State | null {
    return page === state.page ? null : { page, error: undefined };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className={pageStyles.page}>
        <Notice
          kind="bad"
          title="This page could not be shown"
          action={
            <Button className={buttonStyles.button} onPress={() => location.reload()}>
              Reload
            </Button>
          }
        >
          The registry may have been updated since you opened this page.{' '}
          <code>{error.message}</code>
        </Notice>
      </div>
    );
  }
}
