import { classNames } from './class-names.ts';
import { Field } from './field.tsx';
import { groupDigits, ungroupDigits } from './money-digits.ts';
import type { TextInputProps } from './text-input.tsx';

/**
 * A dollar amount with a `$` prefix; digits are grouped on blur and ungrouped while editing.
 * The form submits the text as shown ('615,000' or '615000'); the server strips the commas.
 */
export function MoneyInput({
  label,
  hint,
  error,
  optional,
  large,
  fieldClass,
  id,
  className,
  onBlur,
  onFocus,
  defaultValue,
  ...rest
}: Omit<TextInputProps, 'type' | 'inputMode'>) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id} className={fieldClass}>
      {(control) => (
        <div className="affix">
          <span className="lead" aria-hidden="true">
            $
          </span>
          <input
            {...rest}
            {...control}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={defaultValue === undefined ? undefined : groupDigits(String(defaultValue))}
            className={classNames('input', large && 'input-lg', className)}
            onFocus={(event) => {
              event.currentTarget.value = ungroupDigits(event.currentTarget.value);
              onFocus?.(event);
            }}
            onBlur={(event) => {
              event.currentTarget.value = groupDigits(event.currentTarget.value);
              onBlur?.(event);
            }}
          />
        </div>
      )}
    </Field>
  );
}
