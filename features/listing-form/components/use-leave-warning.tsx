import { type ReactNode, useCallback, useEffect } from 'react';
import { useBlocker, useLocation } from 'react-router';
import { ActionDialog } from '#ui/action-dialog.tsx';

interface Unfinished {
  /** what was typed is not submitted */
  unsent: boolean;
  /** photos are on their way */
  uploading: boolean;
  /** photos did not reach the server */
  failed: boolean;
  /** what was typed is not kept as a draft */
  lost?: boolean;
  /** the path of a page that shows what was typed and leads back, of which nobody needs to be warned */
  preview?: string;
}

/**
 * Warns before leaving the page with unsubmitted changes: the browser's prompt on unload, a dialog for in-app
 * navigation. Render the returned element.
 */
export function useLeaveWarning({ unsent, uploading, failed, lost, preview }: Unfinished): ReactNode {
  const warn = unsent || uploading || failed;
  const { pathname: form } = useLocation();
  const blocker = useBlocker(
    useCallback(
      ({
        currentLocation,
        nextLocation,
      }: {
        currentLocation: { pathname: string };
        nextLocation: { pathname: string };
        // The router still asks for a moment after the form is gone, and would swallow an early press of Back.
      }) =>
        currentLocation.pathname === form &&
        nextLocation.pathname !== form &&
        (nextLocation.pathname === preview ? uploading || failed : warn),
      [warn, uploading, failed, form, preview],
    ),
  );
  useEffect(() => {
    if (!warn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [warn]);
  return (
    <ActionDialog
      open={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave this page?"
      text={`${
        uploading
          ? 'Photos are still uploading.'
          : failed
            ? 'Some photos were not uploaded and are lost.'
            : `This has not been ${lost ? 'saved' : 'submitted'} yet.`
      } ${lost ? 'What you typed is lost.' : 'What you typed is kept as a draft.'}`}
      confirmLabel="Leave"
      cancelLabel="Stay"
      intent="leave"
      pending={false}
      error={null}
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
