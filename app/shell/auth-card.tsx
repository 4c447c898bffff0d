import type { ReactNode } from 'react';
import { BackLink } from '#ui/page-head.tsx';
import { ParcelMap } from './parcel-map.tsx';

interface AuthCardProps {
  title: string;
  lead?: string;
  back?: { href: string; label: string };
  /** The form. */
  children: ReactNode;
  /** Alternatives such as signing up, below a line. */
  foot?: ReactNode;
  /** A picture for wide screens instead of the parcel map (the homepage panorama, say). */
  view?: ReactNode;
}

/** The layout of sign-in, sign-up and reset pages: the form, and on wide screens a picture beside it. */
export function AuthCard({ title, lead, back, children, foot, view }: AuthCardProps) {
  return (
    <div className="auth">
      <div className="auth-form">
        {back && <BackLink {...back} />}
        <h1>{title}</h1>
        {lead && <p className="auth-lead">{lead}</p>}
        <div className="auth-body">{children}</div>
        {foot && <div className="auth-foot">{foot}</div>}
      </div>
      <div className="auth-view" aria-hidden="true">
        {view ?? <ParcelMap />}
      </div>
    </div>
  );
}
