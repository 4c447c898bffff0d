import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { dismissToast, type ShownToast, toastStore } from './toast.ts';

/** How long a toast stays, in milliseconds (S0 §2). */
export const TOAST_MS = 5000;

interface CardProps {
  toast: ShownToast;
  stayMs: number;
  onDone: () => void;
}

/**
 * The place of toasts, once in the document. Both live regions stand from the start, so that every toast is announced.
 * While a dialog is open the toast lies inside it: all else is inert and would neither be seen nor heard.
 */
export function Toaster() {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.get, toastStore.getOnServer);
  const dialog = useOpenDialog(shown?.id);
  const Card = useCard(shown !== null);
  const card = shown && Card && (
    <Card key={shown.id} toast={shown} stayMs={TOAST_MS} onDone={() => dismissToast(shown.id)} />
  );
  const place = (
    <div className="toaster">
      <div role="status">{shown?.tone !== 'bad' && card}</div>
      <div role="alert">{shown?.tone === 'bad' && card}</div>
    </div>
  );
  return dialog ? createPortal(place, dialog) : place;
}

/**
 * The card, fetched with the first press (most toasts answer one) or the first toast: a page as it loads does not carry
 * it (decision 002). When it cannot be fetched the words show plainly, for a network fault is when they are needed.
 */
function useCard(needed: boolean): ComponentType<CardProps> | null {
  const [Card, setCard] = useState<ComponentType<CardProps> | null>(null);
  useEffect(() => {
    if (Card) return;
    const fetchCard = async () => {
      const card = await import('./toast-card.tsx').then(
        (module) => module.default,
        () => PlainToast,
      );
      setCard(() => card);
    };
    if (needed) void fetchCard();
    addEventListener('pointerdown', fetchCard, { once: true });
    addEventListener('keydown', fetchCard, { once: true });
    return () => {
      removeEventListener('pointerdown', fetchCard);
      removeEventListener('keydown', fetchCard);
    };
  }, [Card, needed]);
  return Card;
}

function PlainToast({ toast, stayMs, onDone }: CardProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: one clock for each toast, which has its own key
  useEffect(() => {
    const timer = setTimeout(onDone, stayMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={`toast toast-${toast.tone} toast-still`}>
      <b>{toast.title}</b>
      {toast.text && <p>{toast.text}</p>}
    </div>
  );
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
