import { VisuallyHidden } from './visually-hidden.tsx';

/** A spinner. With a `label` it is announced; without one it is decoration beside text. */
export function Spinner({ label, large }: { label?: string; large?: boolean }) {
  const ring = <span className={large ? 'spin spin-lg' : 'spin'} aria-hidden="true" />;
  if (!label) return ring;
  return (
    <span role="status">
      {ring}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
