import { isRouteErrorResponse } from 'react-router';
import { useSite } from '#app/site.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyLotDrawing } from '#ui/empty-lot-drawing.tsx';
import { NotFoundPage } from './not-found-page.tsx';

interface ErrorPageProps {
  error: unknown;
  /** The request id, shown so that users can report the error. */
  correlationId?: string | undefined;
}

/** What an error boundary shows: 404, a thrown response with its status and message, or 'Oops!'. Never a stack trace. */
export function ErrorPage({ error, correlationId }: ErrorPageProps) {
  const brand = useSite()?.brand ?? DEFAULT_BRAND;
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <>
        <title>{`404 - Page Not Found · ${brand}`}</title>
        <NotFoundPage />
      </>
    );
  }
  const routed = isRouteErrorResponse(error);
  const heading = routed ? `${error.status} ${error.statusText}`.trim() : 'Oops! Something went wrong';
  return (
    <div className="page-state">
      <title>{`${heading} · ${brand}`}</title>
      <div className="empty empty-bare">
        <EmptyLotDrawing sign="question" />
        <h1 className="empty-lead">{heading}</h1>
        {routed && messageOf(error.data) && <p>{messageOf(error.data)}</p>}
        <ButtonLink to={paths.home()} reloadDocument>
          Back to Home
        </ButtonLink>
        {correlationId && <p className="fine">Reference: {correlationId}</p>}
      </div>
    </div>
  );
}

/** The optional message of a thrown response: plain text, or `message` of an object. */
function messageOf(data: unknown): string | null {
  if (typeof data === 'string') return data || null;
  if (typeof data !== 'object' || data === null || !('message' in data)) return null;
  return typeof data.message === 'string' ? data.message : null;
}
