import { paths } from '#app/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { Scene } from '#ui/scene.tsx';

/** The page of an address where nothing stands (S0 §2). The server answers it with a real 404 (B-024). */
export function NotFoundPage() {
  return (
    <div className="page-state">
      <div className="empty empty-bare">
        <Scene sign="question" />
        <h1 className="empty-lead">404 - Page Not Found</h1>
        <p>There is nothing staked out at this address.</p>
        <ButtonLink to={paths.home()}>Return Home</ButtonLink>
      </div>
    </div>
  );
}
