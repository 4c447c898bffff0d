import { type ReactNode, useCallback, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';

/**
 * Asks before the page is left while something stands in the form that was not handed in (B-105): the browser's own
 * question when the window closes or goes elsewhere, a dialog inside the product. Render what it returns.
 */
export function useLeaveWarning(unsent: boolean, uploading: boolean): ReactNode {
  const warn = unsent || uploading;
  const blocker = useBlocker(
    useCallback(
      ({
        currentLocation,
        nextLocation,
      }: {
        currentLocation: { pathname: string };
        nextLocation: { pathname: string };
      }) => warn && currentLocation.pathname !== nextLocation.pathname,
      [warn],
    ),
  );
  useEffect(() => {
    if (!warn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [warn]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave this page?"
      text={
        uploading
          ? 'Photographs are still being uploaded. What you typed is kept as a draft.'
          : 'This is not submitted yet. What you typed is kept as a draft.'
      }
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
