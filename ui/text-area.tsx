import { type ComponentProps, type ReactNode, useState } from 'react';
import { classNames } from './class-names.ts';
import { Field } from './field.tsx';

interface TextAreaProps extends ComponentProps<'textarea'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
  optional?: boolean;
  /** Shows 'used / maxLength' at the right of the hint line, highlighted for the last ten characters. */
  counted?: boolean;
  fieldClass?: string;
}

/** A multi-line text field. */
export function TextArea({
  label,
  hint,
  error,
  optional,
  counted,
  fieldClass,
  id,
  className,
  onChange,
  ...rest
}: TextAreaProps) {
  const [typed, setTyped] = useState(String(rest.defaultValue ?? '').length);
  const used = rest.value === undefined ? typed : String(rest.value).length;
  const max = rest.maxLength;
  const aside = counted && max !== undefined ? <Counter used={used} max={max} /> : undefined;
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      optional={optional}
      id={id}
      className={fieldClass}
      aside={aside}
    >
      {(control) => (
        <textarea
          {...rest}
          {...control}
          className={classNames('area', className)}
          onChange={(event) => {
            setTyped(event.currentTarget.value.length);
            onChange?.(event);
          }}
        />
      )}
    </Field>
  );
}

/** A character counter, 'used / max'. */
export function Counter({ used, max }: { used: number; max: number }) {
  return (
    <span className={classNames('counter', used > max - 10 && 'counter-near')}>
      {used} / {max}
    </span>
  );
}
