import { useRef } from 'react';
import { LoadLater } from './load-later.tsx';

const loadToasts = async () => (await import('./toasts.tsx')).Toasts;

/**
 * The container of toasts, once per document. Both live regions exist from the start, so that every toast is announced;
 * what fills them is loaded after hydration.
 */
export function Toaster() {
  const container = useRef<HTMLDivElement>(null);
  return (
    <>
      <div className="toaster" ref={container}>
        <div role="status" />
        <div role="alert" />
      </div>
      <LoadLater load={loadToasts} props={{ container }} />
    </>
  );
}
