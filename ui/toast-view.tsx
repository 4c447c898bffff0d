import type { HTMLAttributes } from 'react';
import { Bell, CircleAlert, CircleCheck, TriangleAlert, X } from './glyphs.ts';
import { Icon } from './icon.tsx';
import type { ToastInput, ToastTone } from './toast.ts';

const icons: Record<ToastTone, string> = {
  ok: CircleCheck,
  bad: CircleAlert,
  info: Bell,
  warn: TriangleAlert,
};

interface ToastViewProps {
  toast: ToastInput;
  onClose?: () => void;
  /** How long the bar drains; at rest it stands at 62 %. */
  drainMs?: number;
  hold?: HTMLAttributes<HTMLDivElement>;
}

/** What a toast looks like; the gallery shows it at rest. */
export function ToastView({ toast, onClose, drainMs, hold }: ToastViewProps) {
  const tone = toast.tone ?? 'ok';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only hold the clock while someone reads
    <div
      className={`toast toast-${tone}`}
      {...hold}
      onKeyDown={(event) => event.key === 'Escape' && onClose?.()}
    >
      <Icon of={icons[tone]} size={20} />
      <div>
        <b>{toast.title}</b>
        {toast.text && <p>{toast.text}</p>}
      </div>
      <button type="button" className="toast-x" aria-label="Close" onClick={onClose}>
        <Icon of={X} size={16} />
      </button>
      <span
        className={drainMs ? 'toast-bar' : 'toast-bar toast-bar-rest'}
        aria-hidden="true"
        style={drainMs ? { animationDuration: `${drainMs}ms` } : undefined}
      />
    </div>
  );
}
