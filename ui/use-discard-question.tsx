import { type ReactNode, useCallback, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { ActionDialog } from './action-dialog.tsx';

interface Place {
  pathname: string;
  search: string;
}

/**
 * Asks before what was changed and not saved is lost: the browser's prompt when the window is closed, a dialog when the form is
 * cancelled or another page is opened. Render the returned element.
 * @param onDiscard called once it is decided
 */
export function useDiscardQuestion(dirty: boolean, onDiscard: () => void): ReactNode {
  const blocker = useBlocker(
    useCallback(
      ({ currentLocation, nextLocation }: { currentLocation: Place; nextLocation: Place }) =>
        dirty &&
        (currentLocation.pathname !== nextLocation.pathname ||
          currentLocation.search !== nextLocation.search),
      [dirty],
    ),
  );
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [dirty]);
  return (
    <ActionDialog
      open={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Discard your changes?"
      text="What you changed here has not been saved."
      confirmLabel="Discard changes"
      cancelLabel="Keep editing"
      intent="discard"
      pending={false}
      error={null}
      onConfirm={() => {
        onDiscard();
        blocker.proceed?.();
      }}
    />
  );
}
