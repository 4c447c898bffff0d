import {
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useLocation, useNavigation } from 'react-router';
import { classNames } from './class-names.ts';
import { X } from './glyphs.ts';
import { Icon } from './icon.tsx';

export interface DialogProps {
  open: boolean;
  /** Called once when the user closes it: Escape, the close button or a click outside. */
  onClose: () => void;
  title: string;
  text?: ReactNode;
  /** Buttons at the bottom right, cancel first. */
  actions?: ReactNode;
  /** 640 instead of 480 px wide. */
  wide?: boolean;
  /** While true it cannot be closed, because an action is in progress. */
  locked?: boolean;
  role?: 'dialog' | 'alertdialog';
  children?: ReactNode;
}

/**
 * A modal dialog; below 640 px a bottom sheet. Uses the native element, which traps focus, makes the page inert and
 * restores focus. When the server renders it open, it is readable before JavaScript has loaded.
 */
export function Dialog({ open, onClose, title, text, actions, wide, locked, role, children }: DialogProps) {
  const id = useId();
  const { element, wasOpen } = useModal({ open, onClose, locked });
  if (!wasOpen) return null;
  return (
    <dialog
      {...element}
      className={classNames('dialog', wide && 'dialog-wide')}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={text ? `${id}-text` : undefined}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      {text && (
        <p className="dialog-text" id={`${id}-text`}>
          {text}
        </p>
      )}
      {children}
      {actions && <div className="dialog-acts">{actions}</div>}
      <form method="dialog" className="dialog-x">
        <button type="submit" className="iconbtn iconbtn-sm" aria-label="Close" disabled={locked}>
          <Icon of={X} />
        </button>
      </form>
    </dialog>
  );
}

/**
 * What a native modal element needs: it is opened and closed as `open` says, and tells `onClose` once when the user closes it.
 * `wasOpen` is false until it is first opened; it need not be rendered before.
 */
export function useModal({ open, onClose, locked }: Pick<DialogProps, 'open' | 'onClose' | 'locked'>) {
  const ref = useRef<HTMLDialogElement>(null);
  const [openAtFirst] = useState(open);
  const [wasOpen, setWasOpen] = useState(open);
  const { key } = useLocation();
  const nextKey = useNavigation().location?.key;
  const shown = useRef<{ dialog: HTMLDialogElement; opener: Element | null } | null>(null);
  const startedWhileOpen = useRef<string>(undefined);
  if (open && !wasOpen) setWasOpen(true);

  useLayoutEffect(() => {
    if (nextKey !== undefined && ref.current?.open) startedWhileOpen.current = nextKey;
  }, [nextKey]);

  // Before the first paint: shown without being modal, it would not close on Escape. After every navigation: one that opens
  // the dialog again may overtake the one that closes it, and `open` then never changes. One that had started before the user
  // closed it, as the form that was refused, does not open it again.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.matches(':modal') && (!shown.current || key !== startedWhileOpen.current)) {
      dialog.removeAttribute('open');
      keepScrollbarSpace();
      shown.current = { dialog, opener: document.activeElement };
      dialog.showModal();
    } else if (!open) {
      startedWhileOpen.current = undefined;
      dialog.close();
    }
  }, [open, key]);

  useLayoutEffect(
    () => () => {
      const { dialog, opener } = shown.current ?? {};
      if (!dialog?.open || !(opener instanceof HTMLElement)) return;
      // Removed while it is open, as where the address says which dialog is: the browser restores the focus only when it closes.
      queueMicrotask(() => {
        if (document.activeElement === document.body) opener.focus({ preventScroll: true });
      });
    },
    [],
  );

  const element = {
    ref,
    open: openAtFirst,
    // The browser tells it a moment later: a dialog that is open again by then was not closed.
    onClose: ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
      if (open && !currentTarget.open) onClose();
    },
    onCancel: (event: SyntheticEvent) => {
      if (locked) event.preventDefault();
    },
    onMouseDown: (event: MouseEvent<HTMLDialogElement>) => {
      if (!locked && event.target === event.currentTarget && isOutside(event)) event.currentTarget.close();
    },
  };
  return { element, wasOpen };
}

/**
 * Measures the scrollbar that a modal dialog takes away, for the stylesheet to leave its width free: a gutter kept by the browser
 * would stay undimmed.
 */
function keepScrollbarSpace(): void {
  const root = document.documentElement;
  if (document.querySelector('dialog:modal')) return;
  root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`);
}

function isOutside(event: MouseEvent<HTMLDialogElement>): boolean {
  const box = event.currentTarget.getBoundingClientRect();
  const { clientX: x, clientY: y } = event;
  return x < box.left || x > box.right || y < box.top || y > box.bottom;
}
