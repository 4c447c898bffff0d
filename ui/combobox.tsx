import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { toast } from './toast.ts';

const DEBOUNCE_MS = 150;

interface Options<T> {
  /** asks the server for what matches; the same function in every render */
  fetchChoices: (typed: string, signal: AbortSignal) => Promise<readonly T[]>;
  /** the text of the toast when that fails */
  failure: string;
  onChoose: (choice: T) => void;
  /** called with each text that is typed */
  onType?: (typed: string) => void;
  /** what an arrow key in a closed combobox asks for; the field's text by default */
  askedByArrow?: (typed: string) => string;
  /** whether Enter without a choice submits the form while the list is open */
  enterSubmits: boolean;
  readOnly?: boolean;
}

/** What `useCombobox` returns: the props of the input, and what `<ComboboxChoices>` shows. */
export interface Combobox<T> {
  input: ComponentProps<'input'>;
  listId: string;
  /** null while the list is closed */
  choices: readonly T[] | null;
  active: number;
  choose: (choice: T) => void;
  close: () => void;
}

/**
 * An ARIA combobox that asks the server for the choices that match what is typed: the focus stays in the input, arrow keys move
 * through the choices, Enter chooses one and Escape closes the list.
 */
export function useCombobox<T>({
  fetchChoices,
  failure,
  onChoose,
  onType,
  askedByArrow = (typed) => typed,
  enterSubmits,
  readOnly = false,
}: Options<T>): Combobox<T> {
  const listId = useId();
  const [asked, setAsked] = useState<string | null>(null);
  const [found, setFound] = useState<{ asked: string; choices: readonly T[] } | null>(null);
  const [active, setActive] = useState(-1);
  useEffect(() => {
    setActive(-1);
    if (asked === null) return setFound(null);
    const abort = new AbortController();
    const pause = setTimeout(() => {
      fetchChoices(asked, abort.signal).then(
        (choices) => setFound({ asked, choices }),
        () => {
          if (abort.signal.aborted) return;
          setFound(null);
          toast({ title: 'Error', text: failure, tone: 'bad' });
        },
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(pause);
      abort.abort();
    };
  }, [asked, fetchChoices, failure]);

  const choices = readOnly ? null : (found?.choices ?? null);
  /** The choices are still those of the text before, which a key pressed quickly must not choose. */
  const stale = found !== null && found.asked !== asked;
  const close = () => setAsked(null);
  const choose = (choice: T) => {
    close();
    onChoose(choice);
  };
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = stale ? undefined : choices?.[active];
    if (step) {
      event.preventDefault();
      if (!choices) setAsked(askedByArrow(event.currentTarget.value));
      else if (choices.length > 0 && !stale)
        // Up from the field leads to the last one.
        setActive(
          active < 0 && step < 0 ? choices.length - 1 : (active + step + choices.length) % choices.length,
        );
    } else if (event.key === 'Escape' && choices) {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter' && choices && (chosen || !enterSubmits)) {
      event.preventDefault();
      if (chosen) choose(chosen);
    }
  }
  return {
    input: {
      autoComplete: 'off',
      role: 'combobox',
      'aria-expanded': choices !== null,
      'aria-controls': listId,
      'aria-autocomplete': 'list',
      'aria-activedescendant': choices && active >= 0 ? `${listId}${active}` : undefined,
      onChange: (event) => {
        onType?.(event.currentTarget.value);
        setAsked(event.currentTarget.value);
      },
      onKeyDown,
      onBlur: close,
    },
    listId,
    choices,
    active,
    choose,
    close,
  };
}

interface ChoicesProps<T> {
  of: Combobox<T>;
  label: string;
  className: string;
  /** what is said when nothing matches */
  none: string;
  /** what is said of this many */
  count: (choices: number) => string;
  children: (choice: T) => ReactNode;
}

/** The list below the input of a combobox, and what a screen reader is told of it. */
export function ComboboxChoices<T extends { id: string }>({
  of: { listId, choices, active, choose },
  label,
  className,
  none,
  count,
  children,
}: ChoicesProps<T>) {
  const empty = choices?.length === 0;
  return (
    <>
      <div id={listId} role="listbox" aria-label={label} className={className} hidden={!choices}>
        {choices?.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keyboard
          <div
            key={choice.id}
            id={`${listId}${index}`}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            // Keeps the focus in the input until the click is handled.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(choice)}
          >
            {children(choice)}
          </div>
        ))}
      </div>
      <p className="vh" role="status">
        {choices && (empty ? none : count(choices.length))}
      </p>
      {empty && (
        <p className="hint" aria-hidden="true">
          {none}
        </p>
      )}
    </>
  );
}
