import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Bell, CircleAlert, CircleCheck, TriangleAlert, X } from './glyphs.ts';
import { Icon } from './icon.tsx';
import { dismissToast, type ShownToast, type ToastTone, toastStore } from './toast.ts';

/** How long a toast stays, in milliseconds (S0 §2). */
export const TOAST_MS = 5000;

const icons = { ok: CircleCheck, bad: CircleAlert, info: Bell, warn: TriangleAlert } satisfies Record<
  ToastTone,
  unknown
>;

/**
 * The place of toasts, once in the document. Both live regions stand from the start, so that every toast is announced.
 * While a dialog is open the toast lies inside it: all else is inert and would neither be seen nor heard.
 */
export function Toaster() {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.get, toastStore.getOnServer);
  const dialog = useOpenDialog(shown?.id);
  const card = shown && <ToastCard key={shown.id} toast={shown} onDone={() => dismissToast(shown.id)} />;
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

function ToastCard({ toast, onDone }: { toast: ShownToast; onDone: () => void }) {
  const [held, setHeld] = useState(false);
  const left = useRef(TOAST_MS);
  const done = useRef(onDone);
  done.current = onDone;

  useEffect(() => {
    if (held) return;
    const since = performance.now();
    const timer = setTimeout(() => done.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - since;
    };
  }, [held]);

  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) };
  const focus = { onFocus: () => setHeld(true), onBlur: () => setHeld(false) };
  return <ToastView toast={toast} onClose={onDone} drainMs={TOAST_MS} hold={{ ...hold, ...focus }} />;
}

interface ToastViewProps {
  toast: { title: string; text?: string | undefined; tone: ToastTone };
  onClose?: () => void;
  drainMs?: number;
  hold?: React.HTMLAttributes<HTMLDivElement>;
}

/** What a toast looks like; the gallery shows it at rest. */
export function ToastView({ toast, onClose, drainMs, hold }: ToastViewProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only hold the clock while someone reads
    <div
      className={`toast toast-${toast.tone}`}
      {...hold}
      onKeyDown={(event) => event.key === 'Escape' && onClose?.()}
    >
      <Icon of={icons[toast.tone]} size={20} />
      <div>
        <b>{toast.title}</b>
        {toast.text && <p>{toast.text}</p>}
      </div>
      <button type="button" className="toast-x" aria-label="Close" onClick={onClose}>
        <Icon of={X} size={16} />
      </button>
      <span
        className="toast-bar"
        aria-hidden="true"
        style={drainMs ? { animationDuration: `${drainMs}ms` } : { animation: 'none', width: '62%' }}
      />
    </div>
  );
}
