import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '#app/paths.ts';
import { MOST_TEXT } from '../model.ts';
import type { SuggestionLink } from './suggestion-link.ts';

interface Props {
  defaultValue?: string;
  className?: string;
}

const PAUSE_MS = 120;

/**
 * The field of the search forms. Where scripts run it suggests after two characters: arrow keys, Enter, Escape as in
 * an ARIA combobox (B-002). The form around it searches with or without them.
 */
export function SearchCombobox({ defaultValue = '', className }: Props) {
  const navigate = useNavigate();
  const list = useId();
  const [text, setText] = useState(defaultValue);
  const [typing, setTyping] = useState(false);
  const [found, setFound] = useState<SuggestionLink[]>([]);
  const [active, setActive] = useState(-1);

  useEffect(() => setText(defaultValue), [defaultValue]);
  useEffect(() => {
    setActive(-1);
    if (!typing || text.trim().length < 2) return setFound([]);
    const abort = new AbortController();
    const pause = setTimeout(() => {
      fetch(paths.suggestions(text.trim()), { signal: abort.signal })
        .then((response) => (response.ok ? (response.json() as Promise<SuggestionLink[]>) : []))
        // Suggestions are a convenience: without them the form still searches.
        .then(setFound, () => setFound([]));
    }, PAUSE_MS);
    return () => {
      clearTimeout(pause);
      abort.abort();
    };
  }, [text, typing]);

  function close() {
    setTyping(false);
    setFound([]);
  }
  function choose(suggestion: SuggestionLink) {
    close();
    void navigate(suggestion.href);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[active];
    if (step && found.length > 0) {
      event.preventDefault();
      // One place more than suggestions: the field itself, where nothing is chosen.
      setActive(((active + 1 + step + found.length + 1) % (found.length + 1)) - 1);
    } else if (event.key === 'Escape' && found.length > 0) {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter') {
      if (chosen) {
        event.preventDefault();
        choose(chosen);
      } else close();
    }
  }

  const open = found.length > 0;
  return (
    <>
      <input
        type="search"
        name="q"
        className={className}
        value={text}
        maxLength={MOST_TEXT}
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
          setTyping(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div id={list} role="listbox" aria-label="Suggestions" className="suggestions" hidden={!open}>
        {found.map((suggestion, index) => (
          <a
            key={suggestion.href}
            id={`${list}${index}`}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            href={suggestion.href}
            // The field keeps the focus until the click has chosen.
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
