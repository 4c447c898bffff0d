import { useEffect, useRef, useState } from 'react';
import type { ShownToast } from './toast.ts';
import { ToastView } from './toast-view.tsx';

interface ToastCardProps {
  toast: ShownToast;
  durationMs: number;
  onDone: () => void;
}

/** A toast that closes itself; its timer pauses while the toast is pointed at or focused, so that it can be read. */
export function ToastCard({ toast, durationMs, onDone }: ToastCardProps) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const left = useRef(durationMs);
  const done = useRef(onDone);
  done.current = onDone;
  const paused = pointed || focused;

  useEffect(() => {
    if (paused) return;
    const since = performance.now();
    const timer = setTimeout(() => done.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - since;
    };
  }, [paused]);

  return (
    <ToastView
      toast={toast}
      onClose={onDone}
      progressMs={durationMs}
      pauseHandlers={{
        // A move, since a toast that appears under a resting pointer is entered without anybody pointing at it.
        onPointerMove: () => setPointed(true),
        onPointerLeave: () => setPointed(false),
        onFocus: () => setFocused(true),
        onBlur: () => setFocused(false),
      }}
    />
  );
}
