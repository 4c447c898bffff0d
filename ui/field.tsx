import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import { CircleAlert } from './glyphs.ts';
import { Icon } from './icon.tsx';
import { useTypedBefore } from './typed-before.ts';

/** Props that a control inside a field spreads onto its element. */
interface ControlProps {
  id: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** The error message; also marks the control as invalid. */
  error?: string | null | undefined;
  /** Shown at the right of the hint line, e.g. a character counter. */
  aside?: ReactNode;
  optional?: boolean;
  /** A fixed id, when a link or a test needs one. */
  id?: string;
  className?: string;
  /** Receives `id`, `aria-invalid` and `aria-describedby` for its control. */
  children: (control: ControlProps) => ReactNode;
}

/** A form field: the label, the control, and the error or hint below it. */
export function Field({ label, hint, error, aside, optional, id, className, children }: FieldProps) {
  const own = useId();
  const controlId = id ?? own;
  const noteId = `${controlId}-note`;
  useTypedBefore(controlId);
  const described = error || hint || aside;
  return (
    <div className={classNames('f', className)}>
      <label className="flabel" htmlFor={controlId}>
        {label}
        {optional && <span className="subtle"> (optional)</span>}
      </label>
      {children({
        id: controlId,
        ...(error ? { 'aria-invalid': true } : {}),
        ...(described ? { 'aria-describedby': noteId } : {}),
      })}
      {described && (
        <div className="fnote" id={noteId}>
          {error ? <FieldError>{error}</FieldError> : hint && <span className="hint">{hint}</span>}
          {aside}
        </div>
      )}
    </div>
  );
}

/** The message under a control or a group of controls. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span className="err" id={id}>
      <Icon of={CircleAlert} size={14} />
      <span>{children}</span>
    </span>
  );
}
