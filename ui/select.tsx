import type { ComponentProps, ReactNode } from 'react';
import { Field } from './field.tsx';
import { type Option, SelectControl } from './select-control.tsx';

interface SelectProps extends ComponentProps<'select'> {
  label: ReactNode;
  options: readonly Option[];
  /** The first, empty option ('Select a type'). */
  placeholder?: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  optional?: boolean;
  fieldClass?: string;
}

/** A styled native select: works before JavaScript has loaded and opens the device's own picker. */
export function Select({
  label,
  options,
  placeholder,
  hint,
  error,
  optional,
  fieldClass,
  id,
  ...rest
}: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id} className={fieldClass}>
      {(control) => <SelectControl {...rest} {...control} options={options} placeholder={placeholder} />}
    </Field>
  );
}
