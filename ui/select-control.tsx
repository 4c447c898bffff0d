import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

interface SelectControlProps extends ComponentProps<'select'> {
  options: readonly Option[];
  /** The first, empty option ('Select a type'). */
  placeholder?: string;
}

/** The select without its field, for filter bars; pass an `aria-label`. */
export function SelectControl({ options, placeholder, className, ...rest }: SelectControlProps) {
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
