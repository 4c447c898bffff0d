import { isRouteErrorResponse } from 'react-router';
import { useSite } from '#app/site.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { ErrorDrawing } from './error-drawing.tsx';
import { NotFoundPage } from './not-found-page.tsx';

/**
 * What an error boundary shows: 404, a thrown response with its status and message, or 'Oops!', with a reference by which a user
 * can report it. Never a stack trace.
 */
export function ErrorPage({ error }: { error: unknown }) {
  const site = useSite();
  const brand = site?.brand ?? DEFAULT_BRAND;
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <>
        <title>{`404 - Page Not Found · ${brand}`}</title>
        <NotFoundPage />
      </>
    );
  }
  const failed = isRouteErrorResponse(error) && error.status === 500 && !messageOf(error.data);
  const routed = isRouteErrorResponse(error) && !failed;
  const reference = referenceIn(error) ?? site?.reference;
  const heading = routed ? `${error.status} ${error.statusText}`.trim() : 'Oops! Something went wrong';
  return (
    <div className="page-state">
      <title>{`${heading} · ${brand}`}</title>
      <div className="empty empty-bare">
        <ErrorDrawing sign="question" />
        <h1 className="empty-lead">{heading}</h1>
        {routed && messageOf(error.data) && <p>{messageOf(error.data)}</p>}
        <ButtonLink to={paths.home()} reloadDocument>
          Back to Home
        </ButtonLink>
        {reference && <p className="fine">Reference: {reference}</p>}
      </div>
    </div>
  );
}

/** The reference of the request that failed; after a navigation it is not the one that the page was loaded with. */
function referenceIn(error: unknown): string | null {
  const data: unknown = isRouteErrorResponse(error) ? error.data : null;
  const holds = typeof data === 'object' && data !== null && 'reference' in data;
  return holds && typeof data.reference === 'string' ? data.reference : null;
}

/** The optional message of a thrown response: plain text, or `message` of an object. */
function messageOf(data: unknown): string | null {
  if (typeof data === 'string') return data || null;
  if (typeof data !== 'object' || data === null || !('message' in data)) return null;
  return typeof data.message === 'string' ? data.message : null;
}
