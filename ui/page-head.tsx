import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ArrowLeft } from './glyphs.ts';
import { Icon } from './icon.tsx';

interface HeadProps {
  title: string;
  back?: { href: string; label: string };
}

/** Header of a public page: the back link and the `h1`. */
export function PageHead({ title, back, children }: HeadProps & { children?: ReactNode }) {
  return (
    <div className="page-head">
      {back && <BackLink {...back} />}
      <h1>{title}</h1>
      {children}
    </div>
  );
}

/** Header of a page in a signed-in area: the `h1` and its actions. */
export function AreaHead({ title, back, actions }: HeadProps & { actions?: ReactNode }) {
  return (
    <>
      {back && <BackLink {...back} />}
      <div className="area-head">
        <h1>{title}</h1>
        {actions && <div className="area-acts">{actions}</div>}
      </div>
    </>
  );
}

/** The back link above a title. */
export function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <Link className="back" to={href}>
      <Icon of={ArrowLeft} size={16} />
      {label}
    </Link>
  );
}
