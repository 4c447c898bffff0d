import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

interface TooltipProps {
  text: string;
  /** Where it stands when there is room. */
  side?: 'top' | 'right';
  /** Off while it would only repeat what can be read. */
  off?: boolean;
  children: ReactNode;
}

const GAP = 8;

/** A slip of words on hover and focus; Escape takes it away, and the pointer may move onto it (WCAG 1.4.13). */
export function Tooltip({ text, side = 'top', off, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  const host = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  const soon = (next: boolean, ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(next), ms);
  };

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const slip = tip.current;
    const anchor = host.current?.firstElementChild;
    if (!open || !slip || !anchor) return;
    slip.showPopover();
    place(slip, anchor.getBoundingClientRect(), side);
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      slip.hidePopover();
    };
  }, [open, side]);

  if (off) return children;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it watches the control inside and is none itself
    <span
      ref={host}
      className="tip-host"
      onPointerEnter={() => soon(true, 300)}
      onPointerLeave={() => soon(false, 120)}
      onFocus={() => soon(true, 0)}
      onBlur={() => soon(false, 0)}
    >
      {children}
      <span ref={tip} id={id} role="tooltip" popover="manual" className="tip">
        {text}
      </span>
    </span>
  );
}

function place(slip: HTMLElement, anchor: DOMRect, side: 'top' | 'right'): void {
  const { offsetWidth: width, offsetHeight: height } = slip;
  const beside = side === 'right' && anchor.right + GAP + width < innerWidth;
  const above = anchor.top - GAP - height;
  const top = beside ? anchor.top + (anchor.height - height) / 2 : above >= 0 ? above : anchor.bottom + GAP;
  const left = beside ? anchor.right + GAP : anchor.left + (anchor.width - width) / 2;
  slip.style.top = `${top}px`;
  slip.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
}
