import { useEffect } from 'react';
import { toast } from '#ui/toast.ts';

/** Says in a toast what the loader could not read, after the one that a redirect may have carried here, which would replace it. */
export function useFailureToast(failure: { text: string } | null): void {
  useEffect(() => {
    if (!failure) return;
    const timer = setTimeout(() => toast({ title: 'Error', text: failure.text, tone: 'bad' }));
    return () => clearTimeout(timer);
  }, [failure]);
}
