import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { type FoundRecord, foundKinds, MAX_QUERY_LENGTH } from '#features/office-search/model.ts';
import { Button } from '#ui/button.tsx';
import { destination, type LinkTo } from './destination.ts';
import { type SearchState, useOfficeSearch } from './use-office-search.ts';

interface Props {
  linkTo: LinkTo;
  /** Called when a result was chosen. */
  onDone: () => void;
}

interface Option {
  record: FoundRecord;
  href: string;
}

/**
 * An ARIA combobox: the focus stays in the input, arrow keys move through the results of all groups, Enter opens one, the
 * first unless another was chosen. Escape closes the dialog that it stands in.
 */
export function SearchBox({ linkTo, onDone }: Props) {
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { result, retry } = useOfficeSearch(text);
  const options = optionsOf(result, linkTo);
  const current = options[Math.min(active, options.length - 1)];
  const idOf = ({ record }: Option) => `${id}-${record.kind}-${record.id}`;
  const currentId = current && idOf(current);
  useEffect(() => {
    if (currentId) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);

  function choose({ href }: Option) {
    onDone();
    void navigate(href);
  }
  function onKeyDown(event: KeyboardEvent) {
    const at = Math.min(active, options.length - 1);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (to !== undefined && options.length > 0) {
      event.preventDefault();
      setActive((to + options.length) % options.length);
    } else if (event.key === 'Enter' && current) {
      event.preventDefault();
      choose(current);
    }
  }
  return (
    <div className="office-search-box">
      <input
        type="search"
        className="input"
        value={text}
        maxLength={MAX_QUERY_LENGTH}
        placeholder="Address, name, email, ID or receipt number"
        aria-label="Search everything"
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here
        autoFocus
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={currentId}
        onChange={({ target }) => {
          setText(target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Results"
        className="office-results"
        hidden={options.length === 0}
      >
        {foundKinds.map(({ kind, label }) => {
          const group = options.filter(({ record }) => record.kind === kind);
          if (group.length === 0) return null;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, not a fieldset
            <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
              <p id={`${id}-${kind}`}>{label}</p>
              {group.map((option) => (
                <a
                  key={option.record.id}
                  id={idOf(option)}
                  role="option"
                  aria-selected={option === current}
                  tabIndex={-1}
                  href={option.href}
                  // Keeps the focus in the input until the click is handled.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={(event) => {
                    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                    event.preventDefault();
                    choose(option);
                  }}
                >
                  <span>{option.record.label}</span>
                  <small>{option.record.detail}</small>
                </a>
              ))}
            </div>
          );
        })}
      </div>
      {result.state === 'failed' ? (
        <div className="office-search-failed" role="alert">
          <span>The search failed. Please try again.</span>
          <Button variant="outline" size="sm" onClick={retry}>
            Retry
          </Button>
        </div>
      ) : (
        <p className={options.length > 0 ? 'vh' : 'hint'} role="status">
          {words(result, options.length, text)}
        </p>
      )}
    </div>
  );
}

function optionsOf(result: SearchState, linkTo: LinkTo): Option[] {
  if (result.state !== 'found') return [];
  return result.records.flatMap((record) => {
    const href = destination(record, linkTo);
    return href === undefined ? [] : [{ record, href }];
  });
}

function words({ state }: SearchState, count: number, text: string): string {
  if (state === 'blank') return 'Type at least three characters.';
  if (state === 'searching') return 'Searching...';
  if (count === 0) return `No results for “${text.trim()}”.`;
  return count === 1 ? '1 result' : `${count} results`;
}
