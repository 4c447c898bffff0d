import { useEffect } from 'react';
import { type ToastInput, toast } from './toast.ts';
import { ToastView } from './toaster.tsx';

/**
 * A toast carried over a redirect in loader data: handed to the toaster once for each new object.
 * Without scripts it stands in the page where the toaster would be.
 */
export function FlashToast({ toast: carried }: { toast: ToastInput | null | undefined }) {
  useEffect(() => {
    if (carried) toast(carried);
  }, [carried]);
  if (!carried) return null;
  return (
    <noscript>
      <div className="toaster" role={carried.tone === 'bad' ? 'alert' : 'status'}>
        <ToastView toast={{ ...carried, tone: carried.tone ?? 'ok' }} />
      </div>
    </noscript>
  );
}
