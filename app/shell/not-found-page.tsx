import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { ErrorDrawing } from './error-drawing.tsx';

/** The page of an unknown URL. The server responds with a real 404. */
export function NotFoundPage() {
  return (
    <div className="page-state">
      <div className="empty empty-bare">
        <ErrorDrawing sign="question" />
        <h1 className="empty-lead">404 - Page Not Found</h1>
        <p>There is nothing staked out at this address.</p>
        <ButtonLink to={paths.home()}>Return Home</ButtonLink>
      </div>
    </div>
  );
}
