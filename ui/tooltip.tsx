import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

interface TooltipProps {
  text: string;
  /** The preferred side, used when there is room. */
  side?: 'top' | 'right';
  /** Disables the tooltip, e.g. where it would only repeat a visible label. */
  off?: boolean;
  children: ReactNode;
}

const GAP = 8;

/** A tooltip on hover and focus; Escape closes it, and the pointer may move onto it (WCAG 1.4.13). */
export function Tooltip({ text, side = 'top', off, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  const host = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  const schedule = (next: boolean, ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(next), ms);
  };

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const tooltip = tip.current;
    const anchor = host.current?.firstElementChild;
    if (!open || !tooltip || !anchor) return;
    tooltip.showPopover();
    position(tooltip, anchor.getBoundingClientRect(), side);
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      tooltip.hidePopover();
    };
  }, [open, side]);

  if (off) return children;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes the control inside
    <span
      ref={host}
      className="tip-host"
      onPointerEnter={() => schedule(true, 300)}
      onPointerLeave={() => schedule(false, 120)}
      onFocus={() => schedule(true, 0)}
      onBlur={() => schedule(false, 0)}
    >
      {children}
      <span ref={tip} id={id} role="tooltip" popover="manual" className="tip">
        {text}
      </span>
    </span>
  );
}

function position(tooltip: HTMLElement, anchor: DOMRect, side: 'top' | 'right'): void {
  const { offsetWidth: width, offsetHeight: height } = tooltip;
  const beside = side === 'right' && anchor.right + GAP + width < innerWidth;
  const above = anchor.top - GAP - height;
  const top = beside ? anchor.top + (anchor.height - height) / 2 : above >= 0 ? above : anchor.bottom + GAP;
  const left = beside ? anchor.right + GAP : anchor.left + (anchor.width - width) / 2;
  tooltip.style.top = `${top}px`;
  tooltip.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
}
