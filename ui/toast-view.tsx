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
  /** Duration of the progress bar in milliseconds; without it the bar is static, at 62 %. */
  progressMs?: number;
  pauseHandlers?: HTMLAttributes<HTMLDivElement>;
}

/** The look of a toast, without its timer. */
export function ToastView({ toast, onClose, progressMs, pauseHandlers }: ToastViewProps) {
  const tone = toast.tone ?? 'ok';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only pause the timer while someone reads
    <div
      className={`toast toast-${tone}`}
      {...pauseHandlers}
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
        className={progressMs ? 'toast-bar' : 'toast-bar toast-bar-rest'}
        aria-hidden="true"
        style={progressMs ? { animationDuration: `${progressMs}ms` } : undefined}
      />
    </div>
  );
}
