import { useState } from 'react';
import { classNames } from './class-names.ts';
import { Field } from './field.tsx';
import { Eye, EyeOff } from './glyphs.ts';
import { IconButton } from './icon-button.tsx';
import { type Strength, StrengthMeter } from './strength-meter.tsx';
import type { TextInputProps } from './text-input.tsx';

interface PasswordInputProps extends Omit<TextInputProps, 'type'> {
  /** Given, the meter stands under the control; `null` keeps its room while nothing is typed. */
  strength?: Strength | null;
}

/** A password with a button that shows and hides it. */
export function PasswordInput({
  label,
  hint,
  error,
  optional,
  large,
  fieldClass,
  strength,
  id,
  className,
  ...rest
}: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id} className={fieldClass}>
      {(control) => (
        <>
          <div className="affix">
            <input
              {...rest}
              {...control}
              type={shown ? 'text' : 'password'}
              spellCheck={false}
              autoCapitalize="none"
              className={classNames('input', large && 'input-lg', className)}
            />
            <IconButton
              small
              className="peek needs-js"
              icon={shown ? EyeOff : Eye}
              label={shown ? 'Hide password' : 'Show password'}
              aria-controls={control.id}
              onClick={() => setShown(!shown)}
            />
          </div>
          {strength !== undefined && <StrengthMeter strength={strength} />}
        </>
      )}
    </Field>
  );
}
