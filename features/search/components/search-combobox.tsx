import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '#routing/paths.ts';
import { useTypedBefore } from '#ui/typed-before.ts';
import { useStateFrom } from '#ui/use-state-from.ts';
import { MAX_TEXT_LENGTH } from '../model.ts';
import type { SuggestionJson } from './suggestion-json.ts';

interface Props {
  defaultValue?: string;
  className?: string;
}

const DEBOUNCE_MS = 120;

/**
 * The input of the search forms. With JavaScript it suggests after two characters, and recent searches while it is empty, with the keyboard control of an
 * ARIA combobox. The surrounding form works with or without it.
 */
export function SearchCombobox({ defaultValue = '', className }: Props) {
  const navigate = useNavigate();
  const list = useId();
  const [text, setText] = useStateFrom(defaultValue);
  useTypedBefore(`${list}q`);
  const [typing, setTyping] = useState(false);
  const [suggestions, setSuggestions] = useState<SuggestionJson[]>([]);
  const [active, setActive] = useState(-1);

  useEffect(() => {
    setActive(-1);
    if (!typing || text.trim().length < 2) return setSuggestions([]);
    const abort = new AbortController();
    const pause = setTimeout(() => {
      fetch(paths.suggestions(text.trim()), { signal: abort.signal })
        .then((response) => (response.ok ? (response.json() as Promise<SuggestionJson[]>) : []))
        // Suggestions are optional: without them the form still searches.
        .then(setSuggestions, () => setSuggestions([]));
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(pause);
      abort.abort();
    };
  }, [text, typing]);

  function close() {
    setTyping(false);
    setSuggestions([]);
  }
  function choose(suggestion: SuggestionJson) {
    close();
    if (suggestion.choose) suggestion.choose();
    else void navigate(suggestion.href);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = suggestions[active];
    if (step && suggestions.length > 0) {
      event.preventDefault();
      // One position more than suggestions: the input itself, where nothing is selected.
      setActive(((active + 1 + step + suggestions.length + 1) % (suggestions.length + 1)) - 1);
    } else if (event.key === 'Escape' && suggestions.length > 0) {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter') {
      if (chosen) {
        event.preventDefault();
        choose(chosen);
      } else close();
    }
  }

  const open = suggestions.length > 0;
  return (
    <>
      <input
        type="search"
        id={`${list}q`}
        name="q"
        className={className}
        value={text}
        maxLength={MAX_TEXT_LENGTH}
        placeholder="Search properties..."
        aria-label="Search properties"
        enterKeyHint="search"
        autoComplete="off"
        role="combobox"
        aria-expanded={open}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${list}${active}` : undefined}
        onChange={(event) => {
          setText(event.target.value);
          setTyping(document.activeElement === event.target);
        }}
        onKeyDown={onKeyDown}
        onFocus={({ currentTarget: input }) =>
          text ||
          void import('./recent-searches.ts').then(
            // On a slow connection something may have been typed meanwhile, and have its own suggestions.
            (recent) =>
              document.activeElement === input && !input.value && setSuggestions(recent.recentSearches()),
            () => undefined,
          )
        }
        onBlur={close}
      />
      <div id={list} role="listbox" aria-label="Suggestions" className="suggestions" hidden={!open}>
        {suggestions.map((suggestion, index) => (
          <a
            key={suggestion.href}
            id={`${list}${index}`}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            href={suggestion.href}
            // Keeps the focus in the input until the click is handled.
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => {
              event.preventDefault();
              choose(suggestion);
            }}
          >
            <span>{suggestion.label}</span>
            <small>{suggestion.detail}</small>
          </a>
        ))}
      </div>
    </>
  );
}
