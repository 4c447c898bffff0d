import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface PanelProps {
  title?: string;
  /** At the right of the title: links, search, buttons. */
  actions?: ReactNode;
  /** Sets its content in by 24 px; tables go to the edge. */
  inset?: boolean;
  className?: string;
  children: ReactNode;
}

/** A framed part of a page under its title. */
export function Panel({ title, actions, inset, className, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classNames('panel', className)} aria-labelledby={title ? id : undefined}>
      {title && (
        <header>
          <h2 id={id}>{title}</h2>
          {actions && <div className="panel-acts">{actions}</div>}
        </header>
      )}
      {inset ? <div className="panel-in">{children}</div> : children}
    </section>
  );
}
