import { type ChangeEvent, type Ref, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Field } from '#ui/field.tsx';
import { Counter } from '#ui/text-area.tsx';
import { fitText, lengthOf } from '../rules.ts';

interface Props {
  label: string;
  name: string;
  value: string;
  /** in code points; what is typed beyond is ignored */
  max: number;
  error?: string | undefined;
  readOnly: boolean;
  multiline?: boolean;
  fieldRef?: Ref<HTMLInputElement>;
  onType: (text: string) => void;
}

/** Typing has paused when nothing was typed for this long. */
const PAUSE_MS = 700;

/** A text field that holds no more than its limit, with a counter that is read out when typing pauses. */
export function CountedLine({
  label,
  name,
  value,
  max,
  error,
  readOnly,
  multiline,
  fieldRef,
  onType,
}: Props) {
  const moved = useRef<{ element: HTMLInputElement | HTMLTextAreaElement; caret: number } | null>(null);
  // A field whose text is shortened loses its caret to the end.
  useLayoutEffect(() => {
    const move = moved.current;
    moved.current = null;
    move?.element.setSelectionRange(move.caret, move.caret);
  });
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    const typed = currentTarget.value;
    const fitted = fitText(value, typed, currentTarget.selectionStart ?? typed.length, max);
    if (fitted.text !== typed) {
      moved.current = { element: currentTarget, caret: fitted.caret };
      // React leaves the field alone when the text stays what it was.
      currentTarget.value = fitted.text;
      currentTarget.setSelectionRange(fitted.caret, fitted.caret);
    }
    onType(fitted.text);
  };
  const used = lengthOf(value);
  const shared = { name, value, readOnly, autoComplete: 'off', onChange: change };
  return (
    <Field
      label={label}
      error={error}
      aside={
        <>
          <Counter used={used} max={max} />
          {!readOnly && <SpokenCounter left={max - used} />}
        </>
      }
    >
      {(control) =>
        multiline ? (
          <textarea {...shared} {...control} className="area" rows={3} />
        ) : (
          <input {...shared} {...control} ref={fieldRef} className="input" />
        )
      }
    </Field>
  );
}

/** Says politely how many characters are left, once after each pause in typing. */
function SpokenCounter({ left }: { left: number }) {
  const atFirst = useRef(left);
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    if (left === atFirst.current) return;
    const timer = setTimeout(
      () => setSpoken(`${left} ${left === 1 ? 'character' : 'characters'} left`),
      PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <span role="status" className="vh">
      {spoken}
    </span>
  );
}
