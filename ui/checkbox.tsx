import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { ChoiceLabel } from './choice-label.tsx';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'ref'> {
  /** Label beside the box; without one, pass an `aria-label`. */
  label?: ReactNode;
  hint?: ReactNode;
  /** Shows a dash: some, but not all, of the items it stands for are selected. */
  indeterminate?: boolean;
}

/** A native checkbox; clicking its label toggles it too. */
export function Checkbox({ label, hint, indeterminate = false, ...rest }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate;
  }, [indeterminate]);
  const input = <input {...rest} ref={box} type="checkbox" className="check" />;
  return label === undefined ? input : <ChoiceLabel input={input} label={label} hint={hint} />;
}
