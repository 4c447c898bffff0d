import { useEffect, useRef, useState } from 'react';
import type { ShownToast } from './toast.ts';
import { ToastView } from './toast-view.tsx';

interface ToastCardProps {
  toast: ShownToast;
  stayMs: number;
  onDone: () => void;
}

/** A toast with its clock, which stands still while someone points at it or has the focus in it (B-023). */
export default function ToastCard({ toast, stayMs, onDone }: ToastCardProps) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const left = useRef(stayMs);
  const done = useRef(onDone);
  done.current = onDone;
  const held = pointed || focused;

  useEffect(() => {
    if (held) return;
    const since = performance.now();
    const timer = setTimeout(() => done.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - since;
    };
  }, [held]);

  return (
    <ToastView
      toast={toast}
      onClose={onDone}
      drainMs={stayMs}
      hold={{
        onPointerEnter: () => setPointed(true),
        onPointerLeave: () => setPointed(false),
        onFocus: () => setFocused(true),
        onBlur: () => setFocused(false),
      }}
    />
  );
}
