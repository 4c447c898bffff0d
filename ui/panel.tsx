import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface PanelProps {
  title?: string;
  /** Shown at the right of the title: links, search, buttons. */
  actions?: ReactNode;
  /** Pads the content by 24 px; leave it out for tables, which reach the edge. */
  inset?: boolean;
  className?: string;
  children: ReactNode;
}

/** A framed, titled section of a page. */
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
