import { useRevalidator } from 'react-router';

/** For the Retry button of a part that could not be loaded: reads the page's data again. */
export function useRetry(): { busy: boolean; onRetry: () => void } {
  const { revalidate, state } = useRevalidator();
  return { busy: state === 'loading', onRetry: () => void revalidate() };
}
