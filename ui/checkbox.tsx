import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { ChoiceLabel } from './choice-label.tsx';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'ref'> {
  /** Words beside the box; a box without them needs an `aria-label`. */
  label?: ReactNode;
  hint?: ReactNode;
  /** Shows a dash: some, not all, of what it stands for is chosen. */
  mixed?: boolean;
}

/** A native checkbox; the words beside it belong to the target. */
export function Checkbox({ label, hint, mixed = false, ...rest }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  const input = <input {...rest} ref={box} type="checkbox" className="check" />;
  return label === undefined ? input : <ChoiceLabel input={input} label={label} hint={hint} />;
}
