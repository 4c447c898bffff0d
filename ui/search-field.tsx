import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Search } from './glyphs.ts';
import { Icon } from './icon.tsx';

/** A search input with an icon; `label` is its accessible name. */
export function SearchField({ label, className, ...rest }: ComponentProps<'input'> & { label: string }) {
  return (
    <div className={classNames('field-icon', className)}>
      <Icon of={Search} />
      <input type="search" enterKeyHint="search" {...rest} className="input" aria-label={label} />
    </div>
  );
}
