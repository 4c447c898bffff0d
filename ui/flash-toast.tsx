import { useEffect } from 'react';
import { type ToastInput, toast } from './toast.ts';

/**
 * Shows a toast that loader data carried across a redirect, once for each new object.
 * Without JavaScript its text is rendered into the page where the toaster would be.
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
