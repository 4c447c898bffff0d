import { useState } from 'react';
import { classNames } from './class-names.ts';
import { Eye, EyeOff } from './eye-glyphs.ts';
import { Field } from './field.tsx';
import { IconButton } from './icon-button.tsx';
import { type Strength, StrengthMeter } from './strength-meter.tsx';
import type { TextInputProps } from './text-input.tsx';

interface PasswordInputProps extends Omit<TextInputProps, 'type'> {
  /** When given, a strength meter is shown below; `null` reserves its space while the input is empty. */
  strength?: Strength | null;
  /** what the button shows and hides */
  noun?: string;
}

/** A password input with a show/hide button. */
export function PasswordInput({
  label,
  hint,
  error,
  optional,
  large,
  fieldClass,
  strength,
  noun = 'password',
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
              label={`${shown ? 'Hide' : 'Show'} ${noun}`}
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
