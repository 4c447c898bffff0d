import { useEffect } from 'react';
import { type ToastInput, toast } from './toast.ts';

/**
 * A toast carried over a redirect in loader data: handed to the toaster once for each new object.
 * Without scripts its words stand in the page where the toaster would be.
 */
export function FlashToast({ toast: carried }: { toast: ToastInput | null | undefined }) {
  useEffect(() => {
    if (carried) toast(carried);
  }, [carried]);
  if (!carried) return null;
  const tone = carried.tone ?? 'ok';
  return (
    <noscript>
      <div className="toaster">
        <div className={`toast toast-${tone} toast-still`} role={tone === 'bad' ? 'alert' : 'status'}>
          <b>{carried.title}</b>
          {carried.text && <p>{carried.text}</p>}
        </div>
      </div>
    </noscript>
  );
}
