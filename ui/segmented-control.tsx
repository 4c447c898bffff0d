import { useId } from 'react';
import type { Option } from './select.tsx';

interface SegmentedControlProps {
  /** Names the choice ('Grouping'). */
  label: string;
  options: readonly Option[];
  /** The name in a form; without one it is made up. */
  name?: string;
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
}

/** One of a few, in a row: daily, weekly, monthly. Radio buttons underneath, so arrow keys and forms work. */
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
