import { useState } from 'react';
import { Field } from '#ui/field.tsx';
import { groupDigits, ungroupDigits } from '#ui/money-digits.ts';

interface Props {
  label: string;
  name: string;
  value: string;
  error: string | undefined;
  readOnly: boolean;
  className?: string;
  onType: (text: string) => void;
  onLeave: () => void;
}

/** Dollar amount; thousands are grouped while the field is not being edited. */
export function PriceField({ label, name, value, error, readOnly, className, onType, onLeave }: Props) {
  const [typing, setTyping] = useState(false);
  return (
    <Field label={label} error={error} className={className}>
      {(control) => (
        <div className="affix">
          <span className="lead" aria-hidden="true">
            $
          </span>
          <input
            {...control}
            name={name}
            value={typing ? value : groupDigits(value)}
            inputMode="decimal"
            autoComplete="off"
            required
            readOnly={readOnly}
            className="input"
            onChange={(event) => {
              setTyping(true);
              onType(event.currentTarget.value);
            }}
            onBlur={() => {
              setTyping(false);
              const plain = ungroupDigits(value);
              if (groupDigits(plain) !== plain && plain !== value) onType(plain);
              onLeave();
            }}
          />
        </div>
      )}
    </Field>
  );
}
