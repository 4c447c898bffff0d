import { isRouteErrorResponse } from 'react-router';
import { ErrorDrawing } from '#app/shell/error-drawing.tsx';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';

/** Whether an error says that there is no such property, or none any longer. */
export const isMissing = (error: unknown): boolean =>
  isRouteErrorResponse(error) && (error.status === 404 || error.status === 410);

/** 'Property not found' for 404 and 410; any other error as everywhere, inside the layout. */
export function MissingProperty({ error }: { error: unknown }) {
  if (!isMissing(error)) return <ErrorPage error={error} />;
  return (
    <div className="page-state">
      <div className="empty empty-bare">
        <ErrorDrawing sign="board" />
        <h1 className="empty-lead">Property not found</h1>
        <ButtonLink to={paths.properties()}>Back to Properties</ButtonLink>
      </div>
    </div>
  );
}
