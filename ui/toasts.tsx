import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { clearFlashCookie } from './flash-cookie.ts';
import { dismissToast, toastStore } from './toast.ts';
import { ToastCard } from './toast-card.tsx';

/** How long a toast stays visible, in milliseconds. */
const TOAST_MS = 5000;

/**
 * Shows the current toast in the live region for its tone. While a modal dialog is open the toast is rendered inside it,
 * because everything else is inert.
 */
export function Toasts({ container }: { container: RefObject<Element | null> }) {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.get, toastStore.getOnServer);
  const dialog = useOpenDialog(shown?.id);
  useEffect(() => {
    if (shown?.key) clearFlashCookie();
  }, [shown?.key]);
  if (!shown) return null;
  const role = shown.tone === 'bad' ? 'alert' : 'status';
  const card = (
    <ToastCard key={shown.id} toast={shown} durationMs={TOAST_MS} onDone={() => dismissToast(shown.id)} />
  );
  if (dialog)
    return createPortal(
      <div className="toaster">
        <div role={role}>{card}</div>
      </div>,
      dialog,
    );
  const region = container.current?.querySelector(`[role=${role}]`);
  return region ? createPortal(card, region) : null;
}

/** The dialog that is open when a toast appears, until it closes or is removed with what it was about. */
function useOpenDialog(toastId: number | undefined): Element | null {
  const [dialog, setDialog] = useState<Element | null>(null);
  useEffect(() => {
    const open = toastId === undefined ? undefined : [...document.querySelectorAll('dialog:modal')].at(-1);
    setDialog(open ?? null);
    const onClose = () => setDialog(null);
    if (!open) return;
    open.addEventListener('close', onClose);
    const removal = new MutationObserver(() => open.isConnected || onClose());
    removal.observe(document, { childList: true, subtree: true });
    return () => {
      open.removeEventListener('close', onClose);
      removal.disconnect();
    };
  }, [toastId]);
  return dialog;
}
