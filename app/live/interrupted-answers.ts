const onRejection = (event: PromiseRejectionEvent) => {
  if (event.reason?.name === 'AbortError') event.preventDefault();
};

/**
 * Keeps the browser from reporting an answer that a newer form has interrupted while it was read: the router leaves the rejection of
 * what was still to come to nobody. Returns the cleanup function.
 */
export function ignoreInterrupted(): () => void {
  addEventListener('unhandledrejection', onRejection);
  return () => removeEventListener('unhandledrejection', onRejection);
}
