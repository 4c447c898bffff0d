import { useEffect } from 'react';
import { toast } from '#ui/toast.ts';

/** Says in a toast what the loader could not read, after the one that a redirect may have carried here, which would replace it. */
export function useTroubleToast(trouble: { text: string } | null): void {
  useEffect(() => {
    if (!trouble) return;
    const timer = setTimeout(() => toast({ title: 'Error', text: trouble.text, tone: 'bad' }));
    return () => clearTimeout(timer);
  }, [trouble]);
}
