import { type ClipboardEvent, useRef, useState } from 'react';
import { formatCount } from '#platform/format-count.ts';
import { Field } from '#ui/field.tsx';
import { Counter } from '#ui/text-area.tsx';

interface Props {
  label: string;
  name: string;
  value: string;
  max: number;
  error: string | undefined;
  readOnly: boolean;
  /** multi-line */
  multiline?: boolean;
  className?: string;
  /** shown while nothing was cut off */
  hint?: string;
  isOptional?: boolean;
  onType: (text: string) => void;
  onLeave: () => void;
}

/** A text field with a character counter; a pasted text that is too long is truncated, with a hint. */
export function CountedText({
  label,
  name,
  value,
  max,
  error,
  readOnly,
  multiline,
  className,
  hint: givenHint,
  isOptional = false,
  onType,
  onLeave,
}: Props) {
  const [truncated, setTruncated] = useState(false);
  const pasting = useRef(false);
  const onPaste = (event: ClipboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const replaced = (selectionEnd ?? 0) - (selectionStart ?? 0);
    const pasted = event.clipboardData.getData('text').replace(/\r\n?/g, '\n').length;
    pasting.current = true;
    setTruncated(value.length - replaced + pasted > max);
  };
  const type = (text: string) => {
    if (!pasting.current) setTruncated(false);
    pasting.current = false;
    onType(text);
  };
  const hint = truncated ? `Only the first ${formatCount(max)} characters were kept.` : givenHint;
  const shared = {
    name,
    value,
    maxLength: max,
    readOnly,
    required: !isOptional,
    autoComplete: 'off',
    onPaste,
    onBlur: onLeave,
  };
  return (
    <Field
      label={label}
      error={error}
      optional={isOptional}
      hint={hint && <span role="status">{hint}</span>}
      aside={<Counter used={value.length} max={max} />}
      className={className}
    >
      {(control) =>
        multiline ? (
          <textarea
            {...shared}
            {...control}
            className="area area-tall"
            onChange={(event) => type(event.currentTarget.value)}
          />
        ) : (
          <input
            {...shared}
            {...control}
            className="input"
            onChange={(event) => type(event.currentTarget.value)}
          />
        )
      }
    </Field>
  );
}
