import { ErrorState } from './error-state.tsx';
import { useRetry } from './use-retry.ts';

interface FailedPanelProps {
  /** The error message. */
  title: string;
  detail?: string;
}

/** Stands where a part of a page could not be loaded, with a Retry button; the rest of the page is there. */
export function FailedPanel({ title, detail = 'Please try again in a moment.' }: FailedPanelProps) {
  const retry = useRetry();
  return (
    <section className="panel mt-0!" aria-label="Not loaded">
      <ErrorState title={title} detail={detail} retry={retry} />
    </section>
  );
}
