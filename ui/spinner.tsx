import { VisuallyHidden } from './visually-hidden.tsx';

/** A turning ring. With a `label` it announces itself; without one it is decoration beside text. */
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

/** The centred spinner of guards (look §11). */
export function PageSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div className="spin-page">
      <Spinner large label={label} />
    </div>
  );
}
