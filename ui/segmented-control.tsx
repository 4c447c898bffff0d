import { useId } from 'react';
import type { Option } from './select-control.tsx';

interface SegmentedControlProps {
  /** The accessible name of the group ('Grouping'). */
  label: string;
  options: readonly Option[];
  /** The form field name; generated when omitted. */
  name?: string;
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
}

/** A choice between a few options in a row. Built on radio buttons, so that arrow keys and forms work. */
export function SegmentedControl({
  label,
  options,
  name,
  value,
  defaultValue,
  onChange,
}: SegmentedControlProps) {
  const own = useId();
  return (
    <div className="seg" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name ?? own}
            value={option.value}
            disabled={option.disabled}
            {...(value === undefined
              ? { defaultChecked: option.value === defaultValue }
              : { checked: option.value === value })}
            onChange={() => onChange?.(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}
