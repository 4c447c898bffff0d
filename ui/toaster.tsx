import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { dismissToast, type ShownToast, toastStore } from './toast.ts';

/** How long a toast stays, in milliseconds (S0 §2). */
export const TOAST_MS = 5000;

// The card comes with the first press or toast: a page as it loads does not carry it (decision 002).
const loadCard = () => import('./toast-card.tsx');
const ToastCard = lazy(() => loadCard().catch(() => ({ default: PlainToast })));

/** What a toast is when its card cannot be fetched, which is when a network error needs one most. */
function PlainToast({ toast }: { toast: ShownToast }) {
  return (
    <div className={`toast toast-${toast.tone} toast-still`}>
      <b>{toast.title}</b>
      {toast.text && <p>{toast.text}</p>}
    </div>
  );
}

/**
 * The place of toasts, once in the document. Both live regions stand from the start, so that every toast is announced.
 * While a dialog is open the toast lies inside it: all else is inert and would neither be seen nor heard.
 */
export function Toaster() {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.get, toastStore.getOnServer);
  const dialog = useOpenDialog(shown?.id);
  // Most toasts answer a press: fetch the card with the first one. A failure shows when the toast comes.
  useEffect(() => {
    const warm = () => void loadCard().catch(() => undefined);
    addEventListener('pointerdown', warm, { once: true });
    addEventListener('keydown', warm, { once: true });
    return () => {
      removeEventListener('pointerdown', warm);
      removeEventListener('keydown', warm);
    };
  }, []);
  const card = shown && (
    <Suspense>
      <ToastCard key={shown.id} toast={shown} stayMs={TOAST_MS} onDone={() => dismissToast(shown.id)} />
    </Suspense>
  );
  const place = (
    <div className="toaster">
      <div role="status">{shown?.tone !== 'bad' && card}</div>
      <div role="alert">{shown?.tone === 'bad' && card}</div>
    </div>
  );
  return dialog ? createPortal(place, dialog) : place;
}

/** The dialog that is open when a toast comes, until it closes. */
function useOpenDialog(toastId: number | undefined): Element | null {
  const [dialog, setDialog] = useState<Element | null>(null);
  useEffect(() => {
    const open = toastId === undefined ? undefined : [...document.querySelectorAll('dialog:modal')].at(-1);
    setDialog(open ?? null);
    const leave = () => setDialog(null);
    open?.addEventListener('close', leave);
    return () => open?.removeEventListener('close', leave);
  }, [toastId]);
  return dialog;
}
