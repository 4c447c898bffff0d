import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Field } from './field.tsx';

export interface TextInputProps extends ComponentProps<'input'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
  optional?: boolean;
  /** 48 px high, for sign-in and purchase. */
  large?: boolean;
  fieldClass?: string;
}

/** A single-line text field. */
export function TextInput({
  label,
  hint,
  error,
  optional,
  large,
  fieldClass,
  id,
  className,
  ...rest
}: TextInputProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} id={id} className={fieldClass}>
      {(control) => (
        <input {...rest} {...control} className={classNames('input', large && 'input-lg', className)} />
      )}
    </Field>
  );
}
