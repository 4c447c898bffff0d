import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Field } from './field.tsx';

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

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

/** The select without its field, for filter bars; pass an `aria-label`. */
export function SelectControl({
  options,
  placeholder,
  className,
  ...rest
}: Pick<SelectProps, 'options' | 'placeholder'> & ComponentProps<'select'>) {
  return (
    <select {...rest} className={classNames('select', className)}>
      {placeholder !== undefined && <option value="">{placeholder}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
